import { getTickAtSqrtRatio, maxTick } from '#src/core/pools/concentrated/tickMap.ts'
import { toAddress } from '#src/core/units/address.ts'
import { outputBound } from '#test/bench/route/bound/outputBound.ts'
import { type BenchMarket, type MarketFile, toMarket } from '#test/bench/route/marketFile.ts'
import { between, choose, createRandom, normal, type Random } from './random.ts'

export type MarketSize = Readonly<{
  /** Five of them are hubs. Most pools have a hub on one side. */
  currencies: number
  constantProducts: number
  concentrated: number
  /** USD values of the queried amounts, with the number of queries for each. */
  usd: readonly number[]
  queriesEach: number
}>

/** The size of the market on which the engines were compared. */
export const benchSize: MarketSize = {
  currencies: 200,
  constantProducts: 700,
  concentrated: 300,
  usd: [1_000, 100_000, 1_000_000],
  queriesEach: 10,
}

type Token = MarketFile['tokens'][number]
type PoolEntry = MarketFile['pools'][number]

/**
 * Generates a market without arbitrage: the prices of all pools agree to within their fees. Every query has its
 * upper bound. The same seed gives the same market.
 */
export function generateMarket(seed: number, size: MarketSize): BenchMarket {
  const random = createRandom(seed)
  const tokens = Array.from({ length: size.currencies }, (_, id) => generateToken(random, id))
  const pools = [
    ...placeConstantProducts(random, tokens, size.constantProducts).map((each) =>
      generateConstantProduct(random, each),
    ),
    ...placeConcentrated(random, tokens, size.concentrated).map((each) =>
      generateConcentrated(random, each),
    ),
  ]
  const queries = size.usd.flatMap((usd) =>
    Array.from({ length: size.queriesEach }, (_, i) => generateQuery(random, tokens, usd, i)),
  )
  const market = toMarket({
    tokens,
    pools: pools.map((pool, id) => ({ ...pool, id })),
    queries,
    bounds: [],
  })
  const bounds = market.queries.map((query) => outputBound(market.pools, query))
  return toMarket({ ...market.file, bounds })
}

const generateAddress = (random: Random): string =>
  toAddress(
    `0x${Array.from({ length: 40 }, () => Math.floor(random() * 16).toString(16)).join('')}`,
  )

const hubs = [
  { decimals: 18, price: 3_000 },
  { decimals: 6, price: 1 },
  { decimals: 6, price: 1 },
  { decimals: 8, price: 60_000 },
  { decimals: 18, price: 1 },
] as const
/** Ethereum’s wrapped native currency is the first hub, because a peer requires it. */
const wrappedNative = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

const generateToken = (random: Random, id: number): Token => ({
  id,
  address: id === 0 ? wrappedNative : generateAddress(random),
  ...(hubs[id] ?? {
    decimals: random() < 0.9 ? 18 : 6,
    price: 10 ** between(random, -3, 2),
  }),
})

/** A currency pair that gets a pool. `usd` is the pool’s liquidity around the current price. */
type Place = Readonly<{ pair: readonly [Token, Token]; usd: number; fee?: number }>

/** Every currency has pools with one to four hubs. About a third of all pools join two currencies that are not hubs. */
function placeConstantProducts(random: Random, tokens: readonly Token[], count: number): Place[] {
  const tail = tokens.slice(hubs.length)
  const withHubs = tail.flatMap((token) => {
    const joined = new Set([tokens[random() < 0.7 ? 0 : 1] as Token])
    const most = Math.min(4, 1 + Math.round(random() + random() + 0.4))
    for (let i = 1; i < most; i++) joined.add(chooseHub(random, tokens))
    return [...joined].map((hub) => place([hub, token], 500_000))
  })
  const others = Array.from({ length: count }, () => place(chooseTwo(random, tail), 41_000))
  return [...withHubs.slice(0, Math.round(count * 0.67)), ...others].slice(0, count)
}

/** Some deep pools join two hubs. Four of five others have a hub. */
function placeConcentrated(random: Random, tokens: readonly Token[], count: number): Place[] {
  const tail = tokens.slice(hubs.length)
  const betweenHubs = hubPools.map(([one, other, usd, fee]) => ({
    ...place([tokens[one] as Token, tokens[other] as Token], usd),
    fee,
  }))
  const others = Array.from({ length: count }, () =>
    random() < 0.83
      ? place([chooseHub(random, tokens), choose(random, tail)], 200_000)
      : place(chooseTwo(random, tail), 12_000),
  )
  return [...betweenHubs, ...others].slice(0, count)
}

const place = ([one, other]: readonly [Token, Token], usd: number): Place => ({
  pair: one.address < other.address ? [one, other] : [other, one],
  usd,
})

/** The hub pairs with concentrated pools, with liquidity and fee. */
const hubPools = [
  [0, 1, 25e6, 500],
  [0, 1, 3e6, 3_000],
  [0, 1, 1e6, 10_000],
  [0, 2, 12e6, 500],
  [0, 2, 3e6, 3_000],
  [0, 2, 9e6, 10_000],
  [0, 3, 1.5e6, 3_000],
  [0, 3, 1e6, 10_000],
  [2, 3, 1e6, 3_000],
  [1, 2, 80e6, 100],
  [1, 4, 700e6, 100],
] as const

/** The first hub has four of ten pools. */
function chooseHub(random: Random, tokens: readonly Token[]): Token {
  const share = random()
  return tokens[[0.4, 0.67, 0.82, 0.92, 1].findIndex((most) => share < most)] as Token
}

function chooseTwo(random: Random, tokens: readonly Token[]): readonly [Token, Token] {
  const one = choose(random, tokens)
  const other = choose(random, tokens)
  return one === other ? chooseTwo(random, tokens) : [one, other]
}

/** Raw units worth `usd`. */
const unitsWorth = ({ decimals, price }: Token, usd: number): number =>
  (usd / price) * 10 ** decimals

function generateConstantProduct(
  random: Random,
  { pair: [token0, token1], usd: middle }: Place,
): Omit<Extract<PoolEntry, { k: 2 }>, 'id'> {
  const usd = middle * Math.exp(1.4 * normal(random))
  const fee = 3_000
  const deviation = 1 + (between(random, -0.66, 0.66) * fee) / 1e6
  return {
    k: 2,
    address: generateAddress(random),
    t0: token0.id,
    t1: token1.id,
    fee,
    r0: wholeText(unitsWorth(token0, usd)),
    r1: wholeText(unitsWorth(token1, usd) * deviation),
  }
}

const wholeText = (value: number): string => BigInt(Math.ceil(value)).toString()

const spacings: Readonly<Record<number, number>> = { 100: 1, 500: 10, 3000: 60, 10000: 200 }

/** Five of ten pools have the lowest of these fees, four the middle one. */
const chooseFee = (random: Random): number =>
  choose(random, [500, 500, 500, 500, 500, 3_000, 3_000, 3_000, 3_000, 10_000])

function generateConcentrated(
  random: Random,
  { pair: [token0, token1], usd: middle, fee = chooseFee(random) }: Place,
): Omit<Extract<PoolEntry, { k: 3 }>, 'id'> {
  const spacing = spacings[fee] ?? 1
  // Reserves on both sides of the full-range position. The other positions multiply the liquidity around the
  // price by about 25.
  const spread = Math.max(token0.id, token1.id) < hubs.length ? 0.3 : 1.4
  const usd = middle * Math.exp(spread * normal(random))
  const deviation = 1 + (between(random, -0.5, 0.5) * fee) / 1e6
  const price = (unitsWorth(token1, 1) / unitsWorth(token0, 1)) * deviation
  const sqrtPriceX96 = BigInt(Math.floor(Math.sqrt(price) * 2 ** 96))
  const tick = getTickAtSqrtRatio(sqrtPriceX96)
  const everywhere = Math.sqrt(unitsWorth(token0, usd)) * Math.sqrt(unitsWorth(token1, usd))
  const ticks = generateTicks(random, tick, spacing, everywhere)
  const liquidity = ticks.reduce((sum, { i, n }) => (i <= tick ? sum + BigInt(n) : sum), 0n)
  return {
    k: 3,
    address: generateAddress(random),
    t0: token0.id,
    t1: token1.id,
    fee,
    ts: spacing,
    sqrtPriceX96: sqrtPriceX96.toString(),
    tick,
    liquidity: liquidity.toString(),
    ticks,
  }
}

type TickEntry = Extract<PoolEntry, { k: 3 }>['ticks'][number]

/** One full-range position, and 18 to 60 others around the price: up to 120 ticks. */
function generateTicks(
  random: Random,
  tick: number,
  spacing: number,
  liquidity: number,
): TickEntry[] {
  const net = new Map<number, bigint>()
  const gross = new Map<number, bigint>()
  const mint = (lower: number, upper: number, amount: bigint) => {
    net.set(lower, (net.get(lower) ?? 0n) + amount)
    net.set(upper, (net.get(upper) ?? 0n) - amount)
    for (const i of [lower, upper]) gross.set(i, (gross.get(i) ?? 0n) + amount)
  }
  const outermost = Math.floor(maxTick / spacing) * spacing
  mint(-outermost, outermost, BigInt(Math.ceil(liquidity)))
  const count = Math.floor(between(random, 18, 61))
  for (let position = 0; position < count; position++) {
    const centre = tick + 2_000 * normal(random)
    const reach = spacing + 4_000 * Math.abs(normal(random))
    const lower = Math.floor((centre - reach) / spacing) * spacing
    const upper = Math.ceil((centre + reach) / spacing) * spacing
    mint(lower, upper, BigInt(Math.ceil(liquidity * between(random, 0.2, 2))))
  }
  return [...net]
    .sort(([one], [other]) => one - other)
    .map(([i, n]) => ({ i, n: n.toString(), g: (gross.get(i) ?? 0n).toString() }))
}

/**
 * Cycles through three kinds of queries: from a hub to another currency, between two other currencies, and
 * between hubs.
 */
function generateQuery(
  random: Random,
  tokens: readonly Token[],
  usd: number,
  number: number,
): MarketFile['queries'][number] {
  const hubTokens = tokens.slice(0, hubs.length)
  const tail = tokens.slice(hubs.length)
  const ends = [
    () => [choose(random, hubTokens), choose(random, tail)] as const,
    () => chooseTwo(random, tail),
    () => chooseTwo(random, hubTokens),
  ] as const
  const [input, output] = (ends[number % 3] ?? ends[0])()
  return { a: input.id, b: output.id, usd, amount: wholeText(unitsWorth(input, usd)) }
}
