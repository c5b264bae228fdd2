import { z } from 'zod'
import { factoryFields } from './factoryFields.ts'

/** A factory of Aerodrome's or Velodrome's Slipstream. The fee of each pool is read from it. */
export const slipstreamFactory = z.strictObject({
  kind: z.literal('slipstream'),
  ...factoryFields,
  /** Tick spacings to look up for each configured pair. A pair has at most one pool for each. */
  tickSpacings: z.array(z.int().min(1).max(16_383)).min(1).default([1, 50, 100, 200, 2000]),
})
