import { z } from 'zod'
import { factoryFields } from './factoryFields.ts'

/** A factory of Velodrome v2, Aerodrome or a fork. It tells the fee of each pool. */
export const solidlyFactory = z.strictObject({
  kind: z.literal('solidly'),
  ...factoryFields,
})
