import { isDeepStrictEqual } from 'node:util'
import { AppError, type ErrorCode } from '#src/core/errors.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { createGraph, poolsOf } from '#src/core/router/graph.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { KnownCurrencies, MarketSnapshots } from '#src/market/markets.ts'
import { choose, type Random } from '#test/bench/route/generate/random.ts'
import { attempt, essence, plain } from '#test/support/orders/orders.ts'
import type { SimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'

/** Asks for prices, and compares each with the state of the node. It throws nothing: `figures` returns the errors. */
export type CheckedPrices = Readonly<{
  ask: () => void
  /** Asks when a block was mined, at which a market is oldest. */
  askAtBlock: () => void
  figures: () => Readonly<{
    answered: number
    /** Most blocks in a row without a price, since the first. */
    longestGap: number
    wrong: readonly string[]
  }>
  /** The figures in a phrase for people. */
  story: () => string
}>

type Deps = Readonly<{
  chain: SimulatedChain
  market: MarketSnapshots & KnownCurrencies
  /** The time of day that the market goes by, in milliseconds since 1970. */
  time: () => number
  random: Random
}>

/** The codes that `snapshot` documents for a configured chain without a sequencer. */
const documented: ReadonlySet<ErrorCode> = new Set(['SERVICE_UNAVAILABLE', 'STALE_MARKET'])

export function createCheckedPrices(
  { chain, market, time, random }: Deps,
  { chainId, maxMarketAgeSeconds }: Readonly<{ chainId: ChainId; maxMarketAgeSeconds: number }>,
): CheckedPrices {
  const ages = new Map<number, number>()
  const refusals = new Map<ErrorCode, number>()
  const wrong: string[] = []
  let answered = 0
  /** Prices of markets that lacked pools, which were read again after a reorg. */
  let incomplete = 0
  let blocks = 0
  let blocksSince = 0
  let longestGap = 0

  const count = <Key>(counts: Map<Key, number>, key: Key) =>
    counts.set(key, (counts.get(key) ?? 0) + 1)

  function ask(): void {
    const askedAt = time()
    let snapshot: Market
    try {
      snapshot = market.snapshot([chainId])
    } catch (error) {
      if (!(error instanceof AppError)) return void wrong.push(`A refusal without a code: ${error}`)
      count(refusals, error.code)
      if (!documented.has(error.code)) wrong.push(`An unexpected refusal: ${error.code}`)
      return
    }
    try {
      checkAnswer(snapshot, snapshot.chains.get(chainId), askedAt)
    } catch (error) {
      wrong.push(`No price and no refusal: ${error}`)
    }
  }

  function checkAnswer(snapshot: Market, found: ChainMarket | undefined, askedAt: number): void {
    if (found === undefined) return void wrong.push('The market has no chain')
    const { hash, number, timestamp } = found.block
    const block = chain.withHash(evmHash(hash))
    if (block === undefined || BigInt(block.number) !== number)
      return void wrong.push(`The node never had block ${number} (${hash})`)
    const ageSeconds = askedAt / 1000 - Number(block.fields.timestamp)
    if (ageSeconds > maxMarketAgeSeconds || timestamp !== BigInt(block.fields.timestamp))
      wrong.push(`Block ${number} of ${timestamp} answers at ${askedAt / 1000}`)

    const pools = poolsOf(found.graph)
    const own = pools.flatMap(({ address }) => block.state.pools.get(address)?.pool ?? [])
    const graph = createGraph(own)
    if (!isDeepStrictEqual(found.graph, graph)) {
      const differing = pools.filter((pool, at) => !isDeepStrictEqual(pool, own[at]))
      wrong.push(`Block ${number} differs in ${differing.length} pools: ${differing[0]?.address}`)
    }
    const order = drawOrder()
    const price = attempt(order, snapshot)
    const ownChains = new Map(snapshot.chains).set(chainId, { ...found, graph })
    const ownPrice = attempt(order, { ...snapshot, chains: ownChains })
    if (!isDeepStrictEqual(essence(price), essence(ownPrice)))
      wrong.push(`The price at block ${number} is not that of the node's own pools`)
    if (price instanceof AppError) return void count(refusals, price.code)

    answered += 1
    if (pools.length < block.state.pools.size) incomplete += 1
    count(ages, ageSeconds)
    blocksSince = 0
  }

  function drawOrder(): Order {
    const tokens = [...chain.head().state.tokens.keys()]
    const origin = choose(random, tokens)
    const destination = choose(
      random,
      tokens.filter((each) => each !== origin),
    )
    const currency = (address: Order['user']) => {
      const known = market.currencies.known({ chainId, address })
      if (known === undefined) throw new Error(`The market does not know ${address}`)
      return known
    }
    const user = toAddress(`0x${'1'.repeat(40)}`)
    return {
      ...plain,
      user,
      recipient: user,
      refundTo: user,
      origin: currency(origin),
      destination: currency(destination),
      amount: toAmount(BigInt(Math.ceil(random() * 1e6)) * 10n ** 15n),
      tradeType: choose(random, ['EXACT_INPUT', 'EXACT_OUTPUT']),
    }
  }

  const list = (counts: ReadonlyMap<number | string, number>) =>
    [...counts].map(([key, times]) => `${key}: ${times}`).join(', ')

  return {
    ask,
    askAtBlock: () => {
      blocks += 1
      blocksSince += 1
      ask()
      if (answered > 0) longestGap = Math.max(longestGap, blocksSince)
    },
    figures: () => ({ answered, longestGap, wrong }),
    story: () =>
      `${blocks} blocks, ${answered} prices, ${incomplete} of them without all pools, at most ${longestGap} blocks without a price, refusals: ${list(refusals)}, prices by age in seconds: ${list(new Map([...ages].sort(([one], [other]) => one - other)))}`,
  }
}
