import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import type { PoolIdentity } from '#src/core/pools/poolIdentity.ts'

/** Slipstream of Aerodrome and Velodrome, whose factory may change the fee with time and with the price. */
export type SlipstreamPool = PoolIdentity & TickState & Readonly<{ kind: 'slipstream' }>
