import {
  concentrated,
  liquidityRangesOf,
  tickPools,
} from '#src/core/pools/concentrated/concentrated.ts'
import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { swapThroughTicks } from '#src/core/pools/concentrated/swapConcentrated.ts'
import type { PoolIdentity, PoolKind } from '#src/core/pools/poolKind.ts'

/** Slipstream of Aerodrome and Velodrome, whose factory may change the fee with time and with the price. */
export type SlipstreamPool = PoolIdentity & TickState & Readonly<{ kind: 'slipstream' }>

/** With Aerodrome's fee module, which searches 1,024 observations of the pool; twice as many take 2,500 more. */
const hopGas = 154_000n

export const slipstream: PoolKind<SlipstreamPool> = {
  ...tickPools,
  swap: (pool, zeroForOne, mode, amount) =>
    swapThroughTicks(pool, pool.fee, zeroForOne, mode, amount),
  hasMovingFee: true,
  hopFlags: concentrated.hopFlags,
  hopGas: () => hopGas,
  minHopGas: hopGas,
  shape: ({ ticks, fee }) => ({
    ranges: liquidityRangesOf(ticks).ranges,
    feeFactor: 1 - fee / 1_000_000,
    hopGas: Number(hopGas),
    feeJoins: false,
    hasTicks: true,
  }),
}
