import fc from 'fast-check'
import { changeLiquidity, maxTick } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import type { L1DataFee } from '#src/core/pricing/gas/gas.ts'
import type { SequencerState } from '#src/core/pricing/market.ts'
import { createGraph, poolsOf, updateGraph } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd, toUsdPrice } from '#src/core/units/usd.ts'
import { emptyState, type ReplicaState } from '#src/market/replica/replicaState.ts'
import { currencyAt, wildPools } from './graphArbitrary.ts'
import { magnitude } from './poolArbitrary.ts'

const hash = fc
  .bigInt(0n, 2n ** 256n - 1n)
  .map((value): `0x${string}` => `0x${value.toString(16).padStart(64, '0')}`)

const l1DataFee: fc.Arbitrary<L1DataFee> = fc.oneof(
  fc.constant({ model: 'none' as const }),
  fc.record({
    model: fc.constant('opStack' as const),
    l1BaseFee: magnitude(0, 60),
    blobBaseFee: magnitude(0, 60),
    baseFeeScalar: magnitude(0, 30),
    blobBaseFeeScalar: magnitude(0, 30),
  }),
  fc.record({ model: fc.constant('arbitrum' as const), perL1CalldataByte: magnitude(0, 60) }),
)

const sequencer: fc.Arbitrary<SequencerState | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant({ status: 'up' as const }),
  fc.record({ status: fc.constant('down' as const), isKnown: fc.boolean() }),
  fc.record({ status: fc.constant('recovering' as const), trustedAt: magnitude(0, 40) }),
)

/** The chain of all pools of these arbitraries. */
export const replicaChain = toChainId(1)

const ofCurrencies = <Value>(value: fc.Arbitrary<Value>) =>
  fc
    .uniqueArray(fc.tuple(fc.nat(5).map(currencyAt), value), { selector: ([address]) => address })
    .map((entries) => new Map(entries))

const amounts = ofCurrencies(magnitude(0, 255).map(toAmount))
const stops = ['paused', 'otherAllocator', 'notAPayee', 'otherName', 'unread', undefined] as const
const settlement = fc.option(
  fc.record({ stopped: fc.constantFrom(...stops), outflowLimits: amounts, unsettled: amounts }),
  { nil: undefined },
)

/** The parts of a market that every message of the feed contains whole. */
const values = fc.record({
  block: fc.record({ number: magnitude(0, 40), hash, timestamp: magnitude(0, 40) }),
  finality: fc.record({
    height: fc.option(magnitude(0, 40), { nil: undefined }),
    blocks: fc.nat(100),
  }),
  exposedUsd: magnitude(0, 60).map(toUsd),
  gas: fc.record({
    vmType: fc.constant('evm' as const),
    baseFeePerGas: magnitude(0, 60),
    priorityFeePerGas: magnitude(0, 60),
    l1DataFee,
  }),
  sequencer,
  settlement,
})

/** Any text may be the symbol of a currency, such as one in the form of an integer. */
const text = fc.oneof(fc.string(), fc.constantFrom('12', '-5', '0x12', '12n', '"', '__proto__'))

/** The changes of a market from the previous one. */
type Step = Readonly<{
  values: Pick<
    ReplicaState['market'],
    'block' | 'finality' | 'exposedUsd' | 'gas' | 'sequencer' | 'settlement'
  >
  pools: readonly Pool[]
  /** Whether `pools` replace all others. Otherwise a few of the existing pools trade. */
  replacesPools: boolean
  traded: readonly number[]
  amount: bigint
  usdPrices: ReadonlyMap<Currency['address'], ReturnType<typeof toUsdPrice>>
  refused: ReadonlyMap<Currency['address'], string>
  balances: ReadonlyMap<Currency['address'], ReturnType<typeof toAmount>>
  read: readonly Readonly<{ symbol: string; name: string; decimals: number; verified: boolean }>[]
  announced: bigint
  refusedFactories: readonly string[]
  endpoints: number
}>

const step: fc.Arbitrary<Step> = fc.record({
  values,
  pools: wildPools,
  replacesPools: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
  traded: fc.array(fc.nat(11), { maxLength: 4 }),
  amount: magnitude(1, 80),
  usdPrices: ofCurrencies(magnitude(1, 400).map(toUsdPrice)),
  refused: ofCurrencies(text),
  balances: amounts,
  read: fc.array(
    fc.record({ symbol: text, name: text, decimals: fc.nat(36), verified: fc.boolean() }),
    { maxLength: 2 },
  ),
  announced: magnitude(0, 40),
  refusedFactories: fc.array(text, { maxLength: 2 }),
  endpoints: fc.integer({ min: 1, max: 5 }),
})

function trade(pool: Pool, amount: bigint): Pool {
  if ('reserve0' in pool) return { ...pool, reserve0: pool.reserve0 + amount }
  const { tickSpacing } = pool
  const width = Number(amount % 50n) + 1
  const tickUpper = Math.min(width * tickSpacing, maxTick - (maxTick % tickSpacing))
  const range = { tickLower: -tickUpper, tickUpper }
  return {
    ...pool,
    liquidity: pool.liquidity + 1n,
    sqrtPriceX96: pool.sqrtPriceX96 + 1n,
    ticks: amount % 3n === 0n ? pool.ticks : changeLiquidity(pool.ticks, range, amount),
  }
}

function poolsAfter(before: ReplicaState, { replacesPools, pools, traded, amount }: Step) {
  const { graph } = before.market
  if (replacesPools || poolsOf(graph).length === 0) return createGraph(pools)
  const chosen = new Set(traded.map((each) => each % poolsOf(graph).length))
  return updateGraph(
    graph,
    poolsOf(graph).flatMap((pool, at) => (chosen.has(at) ? [trade(pool, amount)] : [])),
  )
}

const stateAfter = (before: ReplicaState, next: Step): ReplicaState => ({
  market: {
    ...next.values,
    graph: poolsAfter(before, next),
    usdPrices: next.usdPrices,
    feedPrices: next.usdPrices,
    solverBalances: next.balances,
    refusedCurrencies: next.refused,
    stoppedAssets: new Set(next.refusedFactories),
  },
  currencies: [
    ...before.currencies,
    ...next.read.map(({ verified, ...each }, at) => ({
      chainId: replicaChain,
      address: currencyAt(100 + before.currencies.length + at),
      ...each,
      metadata: { verified, isNative: false },
    })),
  ],
  announced: next.announced,
  trackedPools: next.pools.length,
  refusedFactories: next.refusedFactories,
  endpoints: next.endpoints,
})

/** Markets of one chain. Each derives from the previous one by trades, reorgs and new pools. */
export const replicaStates: fc.Arbitrary<readonly ReplicaState[]> = fc
  .array(step, { minLength: 1, maxLength: 8 })
  .map((steps) => {
    const states: ReplicaState[] = []
    for (const each of steps) states.push(stateAfter(states.at(-1) ?? emptyState, each))
    return states
  })
