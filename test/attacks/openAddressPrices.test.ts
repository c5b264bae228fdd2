import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Config } from '#src/config/config.ts'
import { AppError } from '#src/core/errors.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { swapLeg, withoutLimits } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { evmAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toPips } from '#src/core/units/pips.ts'
import { toUsdPrice } from '#src/core/units/usd.ts'
import { createMarketHistory } from '#src/market/marketHistory.ts'
import type { FillTerms, OpenTerms } from '#src/requests/quotedRequest.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { QuoteInput } from '#src/service/input/quoteInput.ts'
import { quote } from '#src/service/quote/quote.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { planFill } from '#src/solver/fills/planFill.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { depositFor, fillCaseOf } from '#test/support/orders/fillCase.ts'

const paid = currencyOf(originChain, 'USDC')
const usdc = currencyOf(destinationChain, 'USDC')
const usdt = currencyOf(destinationChain, 'USDT')
const long = currencyOf(destinationChain, 'LONG')
const currencies = [paid, usdc, usdt, long]

const units = (dollars: bigint, { decimals }: Currency) =>
  toAmount(dollars * 10n ** BigInt(decimals))

/** A v2 pool of a hundred thousand dollars on each side. LONG costs 25 cents. */
function poolOf(place: bigint, stable: Currency): ConstantProductPool {
  const sides = [
    { currency: stable, reserve: units(100_000n, stable) },
    { currency: long, reserve: units(400_000n, long) },
  ].sort((one, other) => (one.currency.address < other.currency.address ? -1 : 1))
  const [one, other] = sides as [(typeof sides)[number], (typeof sides)[number]]
  return {
    kind: 'constantProduct',
    source: 'uniswap-v2',
    chainId: destinationChain,
    address: toAddress(`0x${place.toString(16).padStart(40, 'a')}`),
    fee: toPips(3_000),
    currency0: evmAddress(one.currency.address),
    reserve0: one.reserve,
    currency1: evmAddress(other.currency.address),
    reserve1: other.reserve,
  }
}

type Scene = Readonly<{ hasFeed: boolean; pools: readonly ConstantProductPool[] }>

const onePool = [poolOf(1n, usdc)]
const twoPools = [...onePool, poolOf(2n, usdt)]

/** The market of an honest block. Pools give the output its price if it has no feed. */
function fairMarket({ hasFeed, pools }: Scene): Market {
  const chain = market.chains.get(destinationChain)
  if (chain === undefined) throw new Error('No chain')
  const feedPrices = new Map(chain.usdPrices)
  if (!hasFeed) feedPrices.delete(long.address)
  return withChain(market, { ...chain, graph: createGraph(pools), feedPrices })
}

const withChain = ({ chains, ...rest }: Market, chain: ChainMarket): Market => ({
  ...rest,
  chains: new Map(chains).set(destinationChain, chain),
})

const destinationOf = ({ chains }: Market): ChainMarket =>
  chains.get(destinationChain) as ChainMarket

/** The output of a swap, and the market after it. Its pool sets the price of LONG if it has no feed. */
function swap(on: Market, input: Currency, output: Currency, amount: bigint, hasFeed: boolean) {
  const task = { market: destinationOf(on), input, output, limits: withoutLimits }
  const leg = amount === 0n ? undefined : swapLeg(task, 'exactInput', toAmount(amount))
  if (leg === undefined) return { out: 0n, after: on }
  const after = marketAfterSwaps(on, destinationChain, [leg])
  if (hasFeed) return { out: leg.amountOut, after }
  const probe = swapLeg(
    { ...task, market: destinationOf(after), input: usdc, output: long },
    'exactInput',
    units(1n, usdc),
  )
  const price = toUsdPrice(10n ** 36n / (probe?.amountOut ?? 1n))
  const usdPrices = new Map(destinationOf(after).usdPrices).set(long.address, price)
  return { out: leg.amountOut, after: withChain(after, { ...destinationOf(after), usdPrices }) }
}

const contracts = {
  depository: account('1'),
  router: account('2'),
  approvalProxy: account('3'),
  depositAddressFactory: account('4'),
}

const config = {
  chains: [originChain, destinationChain].map((id) => ({ id, contracts })),
  maxSwapImpact: toBps(1_500n),
  solver: { address: account('5') },
  apiKeys: [],
} as unknown as Config

const quoted = quotedRequest(`0x${'77'.repeat(32)}`)
if (quoted.execution !== 'solver') throw new Error('Not for the solver')
const parent = {
  ...quoted,
  originCurrency: paid.address,
  destinationCurrency: long.address,
  depositAddress: account('6'),
  depositor: quoted.refundTo,
  open: { slippageTolerance: toBps(100n) } as OpenTerms,
  state: initialState(quoted),
  version: 1,
} as const

/** Binds payments on a chain whose market can be changed block by block. */
function createBinding(first: Market, fill: FillTerms = parent.fill) {
  let current = first
  const listeners: ((chainId: typeof destinationChain) => void)[] = []
  const feed = {
    listen: (listener: (chainId: typeof destinationChain) => void) => {
      listeners.push(listener)
      return () => undefined
    },
    latest: () => destinationOf(current),
  }
  const history = createMarketHistory(feed, 300)
  const requote = createRequote({
    market: {
      snapshot: () => current,
      ask: () => undefined,
      currencies: {
        known: ({ chainId, address }) =>
          currencies.find((each) => each.chainId === chainId && each.address === address),
        list: () => [],
        ofChain: () => [],
      },
    },
    config,
    history,
    pricing: { runInBackground: async (_, price) => price() },
  })
  return {
    /** A block with this market, `seconds` after the last one. */
    mine(next: Market, seconds: bigint): void {
      const { number, timestamp, hash } = destinationOf(current).block
      const block = { number: number + 1n, timestamp: timestamp + seconds, hash }
      current = withChain(next, { ...destinationOf(next), block })
      for (const listener of listeners) listener(destinationChain)
    },
    bind: (amount: bigint, open: OpenTerms = parent.open) =>
      attempt(() =>
        requote(
          { ...parent, fill, open },
          { depositId: `${originChain}:0xab`, amount: toAmount(amount) },
          1_800_000_000_000,
        ),
      ),
    market: () => current,
  }
}

async function attempt<Value>(run: () => Promise<Value>): Promise<Value | AppError> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

type Attack = Scene &
  Readonly<{
    /** What the attacker buys LONG for, in dollars. */
    dollars: bigint
    /** Blocks of 12 s for which the attacker holds the price. */
    blocks: number
    overridePriceImpact?: true
  }>

const payment = units(8_000n, paid)

/**
 * The attacker buys LONG, waits until the payment of another user is bound and filled, and sells. `gain`: the attacker's,
 * in dollars. `share`: the user's output in percent of the fair one; 100 if nothing is bound, as the user keeps the
 * deposit.
 */
async function attacked({ dollars, blocks, overridePriceImpact, ...scene }: Attack) {
  const fair = fairMarket(scene)
  const chain = createBinding(fair)
  for (let block = 0; block < 40; block += 1) chain.mine(fair, 12n)
  const open: OpenTerms = { ...parent.open, ...(overridePriceImpact && { overridePriceImpact }) }
  const honest = await chain.bind(payment, open)
  const bought = swap(fair, usdc, long, units(dollars, usdc), scene.hasFeed)
  for (let block = 0; block < blocks; block += 1) chain.mine(bought.after, 12n)
  const bound = await chain.bind(payment, open)
  const sold = (on: Market) => swap(on, long, usdc, bought.out, scene.hasFeed).out
  const gainOf = (on: Market) => (sold(on) - units(dollars, usdc)) / 10n ** 6n
  if (bound instanceof AppError || !isSolverRequest({ ...bound, state: parent.state, version: 1 }))
    return { honest, bound, share: 100n, gain: gainOf(bought.after) }
  const request = {
    ...parent,
    ...bound,
    version: 1,
    state: {
      ...initialState(bound),
      status: 'pending',
      inputStates: [{ status: 'funded', depositId: 'deposit' }],
    },
  } as Parameters<typeof fillCaseOf>[0]
  const deposit = depositFor(request, { timestamp: 1_800_000_000 })
  const plan = planFill(fillCaseOf(request, [deposit], bought.after))
  if (plan.kind !== 'fill') return { honest, bound, share: 100n, gain: gainOf(bought.after) }
  const after = marketAfterSwaps(bought.after, destinationChain, [plan.leg])
  const fairOut = honest instanceof AppError ? plan.leg.amountOut : honest.amountOut
  return { honest, bound, share: (100n * plan.leg.amountOut) / fairOut, gain: gainOf(after) }
}

const said = ({ share, gain }: Awaited<ReturnType<typeof attacked>>) =>
  `The user got ${share} % of the fair output, and the attacker ${gain < 0n ? '-' : '+'}$${gain < 0n ? -gain : gain}`

it('the only pool of a currency without a feed is skewed before a payment is bound', async () => {
  const scene = await attacked({ hasFeed: false, pools: onePool, dollars: 180_000n, blocks: 1 })
  expect(scene.share, said(scene)).toBeGreaterThanOrEqual(99n)
  expect(scene.gain, said(scene)).toBeLessThan(0n)
})

it('the pool of a currency with a feed is skewed within the impact limit', async () => {
  const scene = await attacked({ hasFeed: true, pools: onePool, dollars: 3_000n, blocks: 1 })
  expect(scene.share, said(scene)).toBeGreaterThanOrEqual(99n)
  expect(scene.gain, said(scene)).toBeLessThan(0n)
})

it('no skew that lasts for less than two minutes takes more than the tolerance of the address', async () => {
  const pools = fc.constantFrom(onePool, twoPools)
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      pools,
      fc.bigInt(0n, 400_000n),
      fc.integer({ min: 1, max: 10 }),
      fc.boolean(),
      async (hasFeed, pools, dollars, blocks, overrides) => {
        const attack = { hasFeed, pools, dollars, blocks }
        const scene = await attacked({ ...attack, ...(overrides && { overridePriceImpact: true }) })
        expect(scene.share, said(scene)).toBeGreaterThanOrEqual(99n)
        expect(scene.gain, said(scene)).toBeLessThanOrEqual(0n)
      },
    ),
    { numRuns: 60 },
  )
})

it('an honest market binds at once, also after its price has moved and stayed there', async () => {
  for (const hasFeed of [true, false]) {
    const fair = fairMarket({ hasFeed, pools: twoPools })
    const chain = createBinding(fair)
    // Without a history there is no price yet.
    chain.mine(fair, 12n)
    expect(await chain.bind(payment)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    for (let block = 0; block < 40; block += 1) chain.mine(fair, 12n)
    expect(await chain.bind(payment)).toMatchObject({ amountIn: payment })
    const moved = swap(fair, usdc, long, units(3_000n, usdc), hasFeed).after
    chain.mine(moved, 12n)
    expect(await chain.bind(payment)).toMatchObject({ code: 'SWAP_IMPACT_TOO_HIGH' })
    for (let block = 0; block < 20; block += 1) chain.mine(moved, 12n)
    expect(await chain.bind(payment)).toMatchObject({ amountIn: payment })
  }
})

it('an output with neither a feed nor two deep pools is refused, unless the address was quoted so', async () => {
  const fair = fairMarket({ hasFeed: false, pools: onePool })
  const chain = createBinding(fair)
  for (let block = 0; block < 40; block += 1) chain.mine(fair, 12n)
  expect(await chain.bind(payment)).toMatchObject({ code: 'PRICE_FETCH_FAILED' })
  const open = { ...parent.open, overridePriceImpact: true } as const
  expect(await chain.bind(payment, open)).toMatchObject({ amountIn: payment })
})

it('the price of a swapped pool does not judge its own impact', async () => {
  const [first, second] = twoPools as [ConstantProductPool, ConstantProductPool]
  // LONG costs four times its price in the pool that the address names, for as long as the history lasts.
  const skewed = swapReserves(first, 2n)
  const fair = fairMarket({ hasFeed: false, pools: [skewed, { ...second, source: 'other' }] })
  const usdPrices = new Map(destinationOf(fair).usdPrices).set(long.address, toUsdPrice(10n ** 18n))
  const moved = withChain(fair, { ...destinationOf(fair), usdPrices })
  const chain = createBinding(moved, { ...parent.fill, excludedSwapSources: ['other'] })
  for (let block = 0; block < 40; block += 1) chain.mine(moved, 12n)
  expect(await chain.bind(payment)).toMatchObject({ code: 'SWAP_IMPACT_TOO_HIGH' })
})

/** A pool with `times` as much of the stable currency, and as much less of LONG. */
function swapReserves(pool: ConstantProductPool, times: bigint): ConstantProductPool {
  const isLong0 = pool.currency0 === long.address
  const [reserve0, reserve1] = [pool.reserve0, pool.reserve1]
  return {
    ...pool,
    reserve0: isLong0 ? reserve0 / times : reserve0 * times,
    reserve1: isLong0 ? reserve1 * times : reserve1 / times,
  }
}

it('the quote of an open address to an output without an independent price is refused', async () => {
  const fair = fairMarket({ hasFeed: false, pools: onePool })
  const { deps } = createQuoteDeps({
    snapshot: () => fair,
    contracts: new Map([[originChain, contracts]]),
  })
  const ask = (change: Partial<QuoteInput>) =>
    quote(
      deps,
      {
        user: account('7'),
        recipient: account('8'),
        refundTo: account('7'),
        originChainId: originChain,
        originCurrency: paid.address,
        destinationChainId: destinationChain,
        destinationCurrency: long.address,
        amount: units(1_000n, paid),
        tradeType: 'EXACT_INPUT',
        useDepositAddress: true,
        ...change,
      } as QuoteInput,
      loaders,
      client,
    )
  await expect(ask({})).rejects.toMatchObject({ code: 'PRICE_FETCH_FAILED' })
  for (const change of [{ strict: true }, { overridePriceImpact: true }])
    expect((await ask(change)).currencyOut.amount).toBeGreaterThan(0n)
})
