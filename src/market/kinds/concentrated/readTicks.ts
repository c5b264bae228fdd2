import type { Hash } from 'viem'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError, RpcUnavailableError } from '#src/chains/rpc/rpcError.ts'
import type { TickState } from '#src/core/pools/concentrated/concentratedPool.ts'
import { maxTick, minTick, type Tick, ticksOf } from '#src/core/pools/concentrated/tickMap.ts'
import type { PoolIdentity } from '#src/core/pools/poolKind.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ReadContext } from '#src/market/kinds/marketKind.ts'
import { callWithBisection, runReader } from '#src/market/reads/runReader.ts'
import { tickReader } from '#src/protocol/contracts/artifacts/tickReader.ts'

type TickPool = Readonly<{ address: Address; tickSpacing: number }>

/** A word of the tick bitmap of a pool. */
type Word = Readonly<{ pool: TickPool; word: number }>

type Found = Readonly<{ address: Address; tick: Tick }>

/**
 * Bitmap words of one call, about 19 million gas: geth allows 50 million by default, and each tick takes another 9,000.
 * A pool with more words gets its own call.
 */
const maxWords = 4_000

/** The ticks of a concentrated pool. Pools of one context that are requested in the same microtask turn share calls. */
export function readTicksTogether(
  context: ReadContext,
  pool: TickPool,
): Promise<readonly Tick[] | undefined> {
  const batch = batches.get(context) ?? startBatch(context)
  batch.pools.push(pool)
  return batch.ticks.then((ticks) => ticks.get(pool.address))
}

type Batch = Readonly<{ pools: TickPool[]; ticks: Promise<ReadonlyMap<Address, readonly Tick[]>> }>

/** The batches that still accept pools. */
const batches = new WeakMap<ReadContext, Batch>()

function startBatch(context: ReadContext): Batch {
  const pools: TickPool[] = []
  const ticks = Promise.resolve().then(() => {
    batches.delete(context)
    return readTicks(context.client, pools, context.blockHash)
  })
  const batch = { pools, ticks }
  batches.set(context, batch)
  return batch
}

/**
 * All initialised ticks of concentrated pools at one block, ascending. One call of `TickReader.sol` reads the whole
 * bitmap of about 34 pools of tick spacing 60. The 6,932 words at tick spacing 1 take 20 ms on anvil; a multicall of
 * the words takes 17 times as long. Leaves out addresses that are not concentrated pools.
 * @throws RpcUnavailableError or RpcRefusedError if the node fails.
 */
export async function readTicks(
  client: ChainClient,
  pools: readonly TickPool[],
  blockHash: Hash,
): Promise<ReadonlyMap<Address, readonly Tick[]>> {
  const ticks = new Map(pools.map(({ address }): [Address, Tick[]] => [address, []]))
  /** Addresses whose words failed. A call fails as a whole, so their other words are not read. */
  const failed = new Set<Address>()
  const call = async (words: readonly Word[]): Promise<readonly Found[]> => {
    const queries = queriesOf(words.filter(({ pool }) => !failed.has(pool.address)))
    if (queries.length === 0) return []
    const args = [queries] as const
    const found = await runReader(client, tickReader, { functionName: 'read', args, blockHash })
    return queries.flatMap(({ pool: address }, at) =>
      (found[at] ?? []).map((tick) => ({ address, tick })),
    )
  }
  const giveUp = ({ pool: { address } }: Word, error: unknown): readonly Found[] => {
    if (error instanceof RpcUnavailableError || error instanceof RpcRefusedError) throw error
    failed.add(address)
    return []
  }
  const calls = wordsByCall(pools).map((words) => callWithBisection(words, call, giveUp))
  for (const { address, tick } of (await Promise.all(calls)).flat()) ticks.get(address)?.push(tick)
  for (const address of failed) ticks.delete(address)
  return ticks
}

/** The words of all pools, in calls of up to `maxWords`. All words of a pool are in one call. */
function wordsByCall(pools: readonly TickPool[]): readonly (readonly Word[])[] {
  const chunks: Word[][] = []
  for (const pool of pools) {
    const words = wordsOf(pool)
    const last = chunks.at(-1)
    if (last === undefined || last.length + words.length > maxWords) chunks.push(words)
    else last.push(...words)
  }
  return chunks
}

function wordsOf(pool: TickPool): Word[] {
  const first = wordOf(minTick, pool.tickSpacing)
  const count = wordOf(maxTick, pool.tickSpacing) - first + 1
  return Array.from({ length: count }, (_, at) => ({ pool, word: first + at }))
}

/** One query for each pool: its words are consecutive. */
function queriesOf(words: readonly Word[]) {
  const ranges = Map.groupBy(words, ({ pool }) => pool)
  return [...ranges].map(([{ address, tickSpacing }, range]) => ({
    pool: address,
    tickSpacing,
    firstWord: range[0]?.word ?? 0,
    lastWord: range.at(-1)?.word ?? 0,
  }))
}

/**
 * All initialised ticks of a bitmap, ascending.
 * @param readWords reads the ticks in the words from `first` to `last`. If it reverts or exceeds a limit of the node,
 * it is called again for each half.
 */
export const readBitmap = (
  tickSpacing: number,
  readWords: (first: number, last: number) => Promise<readonly Tick[]>,
): Promise<readonly Tick[]> => {
  const first = wordOf(minTick, tickSpacing)
  const words = Array.from(
    { length: wordOf(maxTick, tickSpacing) - first + 1 },
    (_, at) => first + at,
  )
  return callWithBisection(
    words,
    (some) => readWords(some[0] ?? first, some.at(-1) ?? first),
    (_, error) => {
      throw error
    },
  )
}

/**
 * The bitmap word of a tick. Rounds toward zero, as the outermost usable ticks do.
 * @source v3-core TickBitmap.position
 */
const wordOf = (tick: number, tickSpacing: number): number => Math.trunc(tick / tickSpacing) >> 8

/** The fields of a pool with ticks that are compared with the chain, by name. */
export const tickFields = (pool: PoolIdentity & TickState): ReadonlyMap<string, string> =>
  new Map([
    ['fee', `${pool.fee}`],
    ['sqrtPriceX96', `${pool.sqrtPriceX96}`],
    ['tick', `${pool.tick}`],
    ['liquidity', `${pool.liquidity}`],
    ...ticksOf(pool.ticks).map(
      ({ index, liquidityNet, liquidityGross }) =>
        [`tick ${index}`, `net ${liquidityNet} gross ${liquidityGross}`] as const,
    ),
  ])
