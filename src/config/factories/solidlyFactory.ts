import { z } from 'zod'
import { factoryFields } from './factoryFields.ts'

/** A factory of Velodrome v2, Aerodrome or a fork. The fee of each pool is read from it. */
export const solidlyFactory = z.strictObject({
  kind: z.literal('solidly'),
  ...factoryFields,
})
