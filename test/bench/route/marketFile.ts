import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { toTickMap } from '#src/core/pools/concentrated/tickMap.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type Amount, parseAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'

/** A market to benchmark routers on, in its file format: big integers are decimal strings. */
export type MarketFile = Readonly<{
  /** `price` is in USD per whole unit. */
  tokens: readonly Readonly<{ id: number; address: string; decimals: number; price: number }>[]
  pools: readonly (ConstantProductEntry | ConcentratedEntry)[]
  /** A query sells `amount` raw units of token `a`, worth `usd`, for token `b`. */
  queries: readonly Readonly<{ a: number; b: number; usd: number; amount: string }>[]
  /** Upper bound on the output of each query, in raw units of token `b`. */
  bounds: readonly number[]
}>

/** `t0` and `t1` are token ids, `r0` and `r1` are reserves, `fee` is in pips. */
type ConstantProductEntry = Readonly<{
  k: 2
  id: number
  address: string
  t0: number
  t1: number
  fee: number
  r0: string
  r1: string
}>

/** `ts` is the tick spacing. A tick has its index, its net liquidity and its gross liquidity. */
type ConcentratedEntry = Omit<ConstantProductEntry, 'k' | 'r0' | 'r1'> &
  Readonly<{
    k: 3
    ts: number
    sqrtPriceX96: string
    tick: number
    liquidity: string
    ticks: readonly Readonly<{ i: number; n: string; g: string }>[]
  }>

/** A query for the engines. */
export type BenchQuery = Readonly<{
  input: Address
  output: Address
  amount: Amount
  usd: number
  /** Upper bound on the output in raw units, slightly above the best route’s output. */
  bound: number
}>

export type BenchMarket = Readonly<{
  file: MarketFile
  pools: readonly Pool[]
  queries: readonly BenchQuery[]
}>

/** @param path of a JSON file, which may be compressed with gzip. */
export function readMarket(path: string): BenchMarket {
  const bytes = readFileSync(path)
  const text = path.endsWith('.gz') ? gunzipSync(bytes) : bytes
  return toMarket(JSON.parse(text.toString()) as MarketFile)
}

export function toMarket(file: MarketFile): BenchMarket {
  const addressOf = (id: number): Address => {
    const token = file.tokens.find((candidate) => candidate.id === id)
    if (token === undefined) throw new RangeError(`No token ${id} in the market`)
    return toAddress(token.address)
  }
  return {
    file,
    pools: file.pools.map((entry) => toPool(entry, addressOf)),
    queries: file.queries.map(({ a, b, usd, amount }, i) => ({
      input: addressOf(a),
      output: addressOf(b),
      amount: parseAmount(amount),
      usd,
      bound: file.bounds[i] ?? Number.NaN,
    })),
  }
}

const chainId = toChainId(1)

function toPool(entry: MarketFile['pools'][number], addressOf: (id: number) => Address): Pool {
  const identity = {
    chainId,
    address: toAddress(entry.address),
    source: 'bench',
    currency0: addressOf(entry.t0),
    currency1: addressOf(entry.t1),
    fee: toPips(entry.fee),
  }
  if (entry.k === 2)
    return {
      ...identity,
      kind: 'constantProduct',
      reserve0: BigInt(entry.r0),
      reserve1: BigInt(entry.r1),
    }
  const ticks = entry.ticks.map(({ i, n, g }) => ({
    index: i,
    liquidityNet: BigInt(n),
    liquidityGross: BigInt(g),
  }))
  return {
    ...identity,
    kind: 'concentrated',
    tickSpacing: entry.ts,
    sqrtPriceX96: BigInt(entry.sqrtPriceX96),
    tick: entry.tick,
    liquidity: BigInt(entry.liquidity),
    ticks: toTickMap(ticks, entry.ts),
  }
}
