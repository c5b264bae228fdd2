import { z } from 'zod'
import { pips } from '#src/config/values.ts'
import { toPips } from '#src/core/units/pips.ts'
import { factoryFields } from './factoryFields.ts'

/** A factory of Uniswap v3 or a fork. */
export const concentratedFactory = z.strictObject({
  kind: z.literal('concentrated'),
  ...factoryFields,
  /** Fee tiers to look up for each configured pair. */
  feeTiers: z.array(pips).default([toPips(100), toPips(500), toPips(3000), toPips(10_000)]),
})
