import { toChainId } from '#src/units/chainId.ts'
import { createRandom } from '#test/bench/route/random.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'

export type Setting = Readonly<{
  pairs: number
  concentrated: number
  blockMs: number
  latencyMs: number
  /** Requests in a second that the endpoint takes; absent: any number. */
  requestsPerSecond?: number
  /** Pools that a block changes. */
  changes: number
}>

export type Ready = Readonly<{ url: string; wsUrl: string }>

/** `mined` has the time of each block in milliseconds since 1970, by height. */
export type Counts = Readonly<{
  calls: number
  /** Of the calls, by method. */
  byMethod: Readonly<Record<string, number>>
  /** Of requests and answers together. */
  bytes: number
  limited: number
  mined: Readonly<Record<number, number>>
}>

/** A simulated chain, which mines from `mine` on. */
const setting = JSON.parse(process.argv[2] ?? '') as Setting
const { pairs, concentrated, blockMs, latencyMs, requestsPerSecond, changes } = setting
const id = toChainId(990_103)
const chain = createSimulatedChain({
  id,
  state: manyPools(id, { pairs, concentrated, ticksPerPool: 18 }),
  timestamp: Math.floor(Date.now() / 1000),
  // Timestamps are whole seconds: blocks of a quarter of one share theirs.
  blockSeconds: Math.floor(blockMs / 1000),
})
const node = await startSimulatedNode(chain, {
  latencyMs,
  ...(requestsPerSecond !== undefined && { requestsPerSecond }),
})
const mined: Record<number, number> = {}
const random = createRandom(11)

/** A pool after a trade that stays within its range. */
function traded(simulated: SimulatedPool): SimulatedPool {
  const { pool } = simulated
  const part = BigInt(Math.floor(random() * 1_000))
  const after =
    pool.kind === 'constantProduct'
      ? { ...pool, reserve0: pool.reserve0 + part, reserve1: pool.reserve1 - part }
      : { ...pool, sqrtPriceX96: pool.sqrtPriceX96 + part }
  return { ...simulated, pool: after } as SimulatedPool
}

function mine(): void {
  const pools = [...chain.head().state.pools.values()]
  const chosen = Array.from({ length: changes }, () => Math.floor(random() * pools.length))
  const { number } = chain.mine(
    [...new Set(chosen)].flatMap((at) => {
      const pool = pools[at]
      return pool === undefined ? [] : [traded(pool)]
    }),
  )
  mined[number] = performance.timeOrigin + performance.now()
}

process.on('message', (message: 'mine' | 'count') => {
  if (message === 'mine') setInterval(mine, blockMs)
  const byMethod: Record<string, number> = {}
  for (const { method } of node.calls) byMethod[method] = (byMethod[method] ?? 0) + 1
  const counts: Counts = {
    ...{ calls: node.calls.length, byMethod, bytes: node.bytes() },
    ...{ limited: node.limited(), mined },
  }
  process.send?.(counts)
})
process.send?.({ url: node.url, wsUrl: node.wsUrl } satisfies Ready)
