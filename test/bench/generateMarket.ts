import { maxTick } from '#src/pools/tickMap.ts'
import { getTickAtSqrtRatio } from '#src/pools/tickMath.ts'
import { toAddress } from '#src/units/address.ts'
import { type BenchMarket, type MarketFile, toMarket } from './marketFile.ts'
import { outputBound } from './outputBound.ts'

export type MarketSize = Readonly<{
  /** Five of them are hubs, which most pools have on one side. */
  currencies: number
  constantProducts: number
  concentrated: number
  /** Worth in USD of the amounts asked for, and how often each. */
  usd: readonly number[]
  queriesEach: number
}>

/** As large as the market that the engines were compared on. */
export const benchSize: MarketSize = {
  currencies: 200,
  constantProducts: 700,
  concentrated: 300,
  usd: [1_000, 100_000, 1_000_000],
  queriesEach: 10,
}

type Token = MarketFile['tokens'][number]
type PoolEntry = MarketFile['pools'][number]
type Random = () => number

/**
 * A market without arbitrage: all pools agree on what currencies are worth, up to less than their fees. Every query
 * comes with its bound. The same seed gives the same market.
 */
export function generateMarket(seed: number, size: MarketSize): BenchMarket {
  const random = createRandom(seed)
  const tokens = Array.from({ length: size.currencies }, (_, id) => generateToken(random, id))
  const pools = [
    ...choosePairs(random, tokens, size.constantProducts, constantProductShares).map((pair) =>
      generateConstantProduct(random, inOrder(pair)),
    ),
    ...choosePairs(random, tokens, size.concentrated, concentratedShares).map((pair) =>
      generateConcentrated(random, inOrder(pair)),
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

/** Numbers from 0 to below 1, always the same for a seed: Tommy Ettinger's mulberry32. */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const between = (random: Random, low: number, high: number): number => low + random() * (high - low)

const choose = <Item>(random: Random, items: readonly Item[]): Item =>
  items[Math.floor(random() * items.length)] as Item

/** Normally distributed, by Box and Muller. */
const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

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
/** The first hub is on one side of most pools. */
const hubShares = [0.4, 0.68, 0.82, 0.92, 1] as const

/** Ethereum's wrapped native currency, the first hub: a peer insists on it. */
const wrappedNative = '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2'

const generateToken = (random: Random, id: number): Token => ({
  id,
  address: id === 0 ? wrappedNative : generateAddress(random),
  ...(hubs[id] ?? {
    decimals: random() < 0.9 ? 18 : 6,
    price: 10 ** between(random, -3, 2),
  }),
})

type Pair = readonly [Token, Token]

/** Every currency has a pool or more with hubs, and then some are with each other; hubs come with hubs last. */
function choosePairs(
  random: Random,
  tokens: readonly Token[],
  count: number,
  shares: Shares,
): Pair[] {
  const hubTokens = tokens.slice(0, hubs.length)
  const tail = tokens.slice(hubs.length)
  const withHub = Math.round(count * shares.hubAndTail)
  const ofHubs = Math.round(count * shares.hubs)
  return Array.from({ length: count }, (_, i) => {
    if (i < withHub) return [chooseHub(random, hubTokens), tail[i % tail.length] as Token]
    if (i < count - ofHubs) return chooseTwo(random, tail)
    return chooseTwo(random, hubTokens)
  })
}

/** Of all pools, those that join two hubs, and a hub and another currency. */
type Shares = Readonly<{ hubs: number; hubAndTail: number }>
const constantProductShares: Shares = { hubs: 0, hubAndTail: 0.67 }
const concentratedShares: Shares = { hubs: 0.037, hubAndTail: 0.8 }

function chooseHub(random: Random, tokens: readonly Token[]): Token {
  const share = random()
  return tokens[hubShares.findIndex((most) => share < most)] as Token
}

function chooseTwo(random: Random, tokens: readonly Token[]): Pair {
  const one = choose(random, tokens)
  const other = choose(random, tokens)
  return one === other ? chooseTwo(random, tokens) : [one, other]
}

const inOrder = ([one, other]: Pair): Pair =>
  one.address < other.address ? [one, other] : [other, one]

/** What is worth `usd`, in raw units. */
const unitsWorth = ({ decimals, price }: Token, usd: number): number =>
  (usd / price) * 10 ** decimals

function generateConstantProduct(
  random: Random,
  [token0, token1]: Pair,
): Omit<Extract<PoolEntry, { k: 2 }>, 'id'> {
  const usd = Math.exp(Math.log(240_000) + 1.7 * normal(random))
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

/** Of ten pools five take the lowest fee, four the middle one. */
const tiers = [
  { most: 0.5, fee: 500, spacing: 10 },
  { most: 0.9, fee: 3_000, spacing: 60 },
  { most: 1, fee: 10_000, spacing: 200 },
] as const

function generateConcentrated(
  random: Random,
  [token0, token1]: Pair,
): Omit<Extract<PoolEntry, { k: 3 }>, 'id'> {
  const share = random()
  const { fee, spacing } = tiers.find(({ most }) => share < most) ?? tiers[0]
  const areHubs = Math.max(token0.id, token1.id) < hubs.length
  // On both sides, of the position over all ticks. The others make it about 20 times as deep.
  const usd = Math.exp(Math.log(areHubs ? 10e6 : 140_000) + 1.7 * normal(random))
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

/** One position over all ticks, and 18 to 60 others around the price: up to 120 ticks. */
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

/** One after the other from a hub to another currency, between two of those, and between hubs. */
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
