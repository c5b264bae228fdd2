import { z } from 'zod'
import { pips } from '#src/config/values.ts'
import { toPips } from '#src/core/units/pips.ts'
import { factoryFields } from './factoryFields.ts'

/** A factory of Uniswap v2 or a fork. */
export const constantProductFactory = z.strictObject({
  kind: z.literal('constantProduct'),
  ...factoryFields,
  /** The fork's fee on the input. */
  fee: pips.default(toPips(3000)),
})
