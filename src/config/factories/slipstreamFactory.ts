import { z } from 'zod'
import { factoryFields } from './factoryFields.ts'

/** A factory of Aerodrome's or Velodrome's Slipstream. It tells the fee of each pool. */
export const slipstreamFactory = z.strictObject({
  kind: z.literal('slipstream'),
  ...factoryFields,
  /** Tick spacings to look up for each configured pair: there is one pool of each. */
  tickSpacings: z.array(z.int().min(1).max(16_383)).min(1).default([1, 50, 100, 200, 2000]),
})
