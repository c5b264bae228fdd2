import { getAbiItem, parseAbi, toEventSelector, zeroAddress } from 'viem'
import { z } from 'zod'
import { applyConcentratedEvent } from '#src/core/pools/concentrated/concentratedPool.ts'
import { liquidityAt, ticksOf, toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { SlipstreamPool } from '#src/core/pools/slipstream/slipstream.ts'
import type { Address } from '#src/core/units/address.ts'
import { toPips } from '#src/core/units/pips.ts'
import {
  applyPrice,
  encodePrice,
  price,
} from '#src/market/kinds/concentrated/concentratedReplica.ts'
import {
  concentratedDecoders,
  initializeTopic,
  pancakeSwapTopic,
  readTickDepth,
  readTickState,
  swapTopic,
} from '#src/market/kinds/concentrated/readConcentrated.ts'
import { tickFields } from '#src/market/kinds/concentrated/readTicks.ts'
import {
  addressAt,
  addressIn,
  decodeEach,
  eventsOf,
  fieldsOf,
  numberIn,
} from '#src/market/kinds/logWords.ts'
import type { FactoryOf, Found, MarketKind, ReplicaKind } from '#src/market/kinds/marketKind.ts'
import { address, poolFields } from '#src/market/kinds/wireValues.ts'
import { read } from '#src/market/reads/readAll.ts'
import { reading } from '#src/market/reads/reading.ts'
import { slipstreamFactoryAbi, slipstreamPoolAbi } from '#src/protocol/contracts/abis.ts'

const whole = z.object({
  kind: z.literal('slipstream'),
  ...poolFields,
  tickSpacing: z.int(),
  ...price,
})
const change = z.object({
  kind: z.literal('slipstreamPrice'),
  address,
  fee: poolFields.fee,
  ...price,
})

type Whole = z.output<typeof whole>
type Change = z.output<typeof change>

/** Replica format of Slipstream pools: that of concentrated pools, with the fee. */
const slipstreamReplica: ReplicaKind<SlipstreamPool, Whole, Change> = {
  whole,
  change,
  changeKind: 'slipstreamPrice',
  includesFee: true,
  isSame: (one, other) => one.tickSpacing === other.tickSpacing,
  encodeWhole: ({ chainId: _, ...pool }) => ({ ...pool, ticks: ticksOf(pool.ticks) }),
  encodeChange: (pool, before) => ({ fee: pool.fee, ...encodePrice(pool, before) }),
  decodeWhole: (pool) => ({ ...pool, ticks: toTickMap(pool.ticks, pool.tickSpacing) }),
  apply: (before, { fee, ...priceChange }) => ({ ...applyPrice(before, priceChange), fee }),
}

const kind = 'slipstream'

/** @source Slipstream ICLPoolEvents */
const otherAbi = parseAbi([
  'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
  'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)',
  'event CollectFees(address indexed recipient, uint128 amount0, uint128 amount1)',
])

/** The pools emit the events of Uniswap v3, not PancakeSwap's. */
const decoders = new Map([...concentratedDecoders].filter(([topic]) => topic !== pancakeSwapTopic))

const slot0Of = (address: Address) => read(address, slipstreamPoolAbi, 'slot0', [])
const feeOf = (address: Address) => read(address, slipstreamPoolAbi, 'fee', [])
const readPool = (factory: Address, currency0: Address, currency1: Address, tickSpacing: number) =>
  read(factory, slipstreamFactoryAbi, 'getPool', [currency0, currency1, tickSpacing])

/** Pools of Aerodrome's and Velodrome's Slipstream: their fee is read at each block. */
export const slipstreamMarket: MarketKind<
  SlipstreamPool,
  FactoryOf<typeof kind>,
  Found<typeof kind>,
  Whole,
  Change
> = {
  creationTopic: toEventSelector(getAbiItem({ abi: slipstreamFactoryAbi, name: 'PoolCreated' })),
  parseCreations({ source, factory, tickSpacings, pairs }, logs) {
    const wanted = new Set(tickSpacings)
    return decodeEach(logs, (log) => {
      fieldsOf(log, 1, 3)
      const address = addressAt(log.data, 0)
      const [currency0, currency1] = [addressIn(log, 1), addressIn(log, 2)]
      const tickSpacing = numberIn(log, 3)
      if (pairs.length > 0 && !wanted.has(tickSpacing)) return undefined
      return {
        pool: { kind, source, address, currency0, currency1 },
        readAddress: () => readPool(factory, currency0, currency1, tickSpacing),
      }
    })
  },
  candidates: ({ source, factory, tickSpacings }, currency0, currency1) =>
    tickSpacings.map((tickSpacing) => ({
      readAddress: readPool(factory, currency0, currency1, tickSpacing),
      toPool: (address) => ({ kind, address, source, currency0, currency1 }),
    })),
  checkFactory: ({ factory, tickSpacings }) => ({
    call: 'tickSpacingToFee, and getPoolSwapHook which must be missing',
    expected: `fees of the tick spacings ${tickSpacings.join(', ')}, and pools without hooks`,
    reads: [
      // A later version gives pools a hook that changes fees and amounts.
      read(factory, slipstreamFactoryAbi, 'getPoolSwapHook', [zeroAddress]),
      ...tickSpacings.map((each) =>
        read(factory, slipstreamFactoryAbi, 'tickSpacingToFee', [each]),
      ),
    ],
    // A factory may lack some spacings, and then has no such pools. One without any is not a factory of this kind.
    judge: ([hook, ...fees]) =>
      hook === undefined &&
      fees.every((each) => typeof each === 'number') &&
      fees.some((each) => each !== 0),
  }),

  readState: (pool, context) => readTickState(pool, context, slot0Of(pool.address)),
  ownCalls: 1,
  readAtBlock: ({ address }) =>
    reading({ fee: feeOf(address) }, ({ fee }) => {
      // A fee of 100 % or more makes swaps impossible.
      if (fee === undefined || fee >= 1_000_000) return undefined
      return (state) => (state.fee === fee ? state : { ...state, fee: toPips(fee) })
    }),

  events: eventsOf(decoders, applyConcentratedEvent<SlipstreamPool>),
  // A Swap event reports the liquidity in range, which must equal the sum over the ticks.
  isConsistent: ({ ticks, tick, liquidity }) => liquidity === liquidityAt(ticks, tick),
  priceTopics: new Set([initializeTopic, swapTopic]),
  otherTopics: new Set(otherAbi.map(toEventSelector)),

  fields: tickFields,
  price: ({ sqrtPriceX96 }) => `${sqrtPriceX96}`,

  depthCalls: (trusted) => 2 + trusted,
  readDepth: (pool, trusted) => readTickDepth(pool, trusted, slot0Of(pool.address)),

  replica: slipstreamReplica,
}
