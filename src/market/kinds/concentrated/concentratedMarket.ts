import { getAbiItem, parseAbi, toEventSelector } from 'viem'
import {
  applyConcentratedEvent,
  type ConcentratedPool,
} from '#src/core/pools/concentrated/concentratedPool.ts'
import { liquidityAt } from '#src/core/pools/concentrated/tickMap.ts'
import type { Address } from '#src/core/units/address.ts'
import {
  addressAt,
  addressIn,
  decodeEach,
  eventsOf,
  fieldsOf,
  numberIn,
} from '#src/market/kinds/logWords.ts'
import type { FactoryOf, Found, MarketKind } from '#src/market/kinds/marketKind.ts'
import { read } from '#src/market/reads/readAll.ts'
import { uniswapV3FactoryAbi } from '#src/protocol/contracts/abis.ts'
import { type Change, concentratedReplica, type Whole } from './concentratedReplica.ts'
import {
  concentratedDecoders,
  initializeTopic,
  pancakeSwapTopic,
  readTickDepth,
  readTickState,
  slot0Of,
  swapTopic,
} from './readConcentrated.ts'
import { tickFields } from './readTicks.ts'

const kind = 'concentrated'

/** @source Uniswap v3-core 1.0.1 IUniswapV3PoolEvents */
const otherAbi = parseAbi([
  'event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)',
  'event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)',
  'event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)',
  'event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)',
  'event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)',
])

const readPool = (factory: Address, currency0: Address, currency1: Address, fee: number) =>
  read(factory, uniswapV3FactoryAbi, 'getPool', [currency0, currency1, fee])

/** Pools of Uniswap v3 and its forks. */
export const concentratedMarket: MarketKind<
  ConcentratedPool,
  FactoryOf<typeof kind>,
  Found<typeof kind>,
  Whole,
  Change
> = {
  creationTopic: toEventSelector(getAbiItem({ abi: uniswapV3FactoryAbi, name: 'PoolCreated' })),
  parseCreations({ source, factory, feeTiers, pairs }, logs) {
    const tiers = new Set<number>(feeTiers)
    return decodeEach(logs, (log) => {
      fieldsOf(log, 2, 3)
      const address = addressAt(log.data, 1)
      const [currency0, currency1, fee] = [addressIn(log, 1), addressIn(log, 2), numberIn(log, 3)]
      if (fee < 0 || (pairs.length > 0 && !tiers.has(fee))) return undefined
      return {
        pool: { kind, source, address, currency0, currency1 },
        readAddress: () => readPool(factory, currency0, currency1, fee),
      }
    })
  },
  candidates: ({ source, factory, feeTiers }, currency0, currency1) =>
    feeTiers.map((fee) => ({
      readAddress: readPool(factory, currency0, currency1, fee),
      toPool: (address) => ({ kind, address, source, currency0, currency1 }),
    })),
  checkFactory: ({ factory, feeTiers }) => ({
    call: 'feeAmountTickSpacing',
    expected: `tick spacings of ${feeTiers.join(', ')}`,
    reads: feeTiers.map((fee) => read(factory, uniswapV3FactoryAbi, 'feeAmountTickSpacing', [fee])),
    // A factory may lack some tiers, and then has no such pools. One without any tier is not a factory of this kind.
    judge: (spacings) =>
      spacings.every((each) => typeof each === 'number') && spacings.some((each) => each !== 0),
  }),

  readState: (pool, context) => readTickState(pool, context, slot0Of(pool.address)),
  ownCalls: 1,

  events: eventsOf(concentratedDecoders, applyConcentratedEvent),
  // A Swap event reports the liquidity in range, which must equal the sum over the ticks.
  isConsistent: ({ ticks, tick, liquidity }) => liquidity === liquidityAt(ticks, tick),
  priceTopics: new Set([initializeTopic, swapTopic, pancakeSwapTopic]),
  otherTopics: new Set(otherAbi.map(toEventSelector)),

  fields: tickFields,
  price: ({ sqrtPriceX96 }) => `${sqrtPriceX96}`,

  depthCalls: (trusted) => 2 + trusted,
  readDepth: (pool, trusted) => readTickDepth(pool, trusted, slot0Of(pool.address)),

  replica: concentratedReplica,
}
