import { createRandom } from '#test/bench/route/generate/random.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import type { SimulatedPool } from '#test/support/simulatedNode/simulatedState.ts'
import { startSimulatedNode } from '#test/support/simulatedNode/startSimulatedNode.ts'
import { chainId, type Setting, stateOf } from './benchChain.ts'

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

/** Pools in each of the blocks that create them, before the chain starts to mine. */
const poolsPerBlock = 200

/** A simulated chain, which mines from `mine` on. */
const setting = JSON.parse(process.argv[2] ?? '') as Setting
const { blockMs, latencyMs, requestsPerSecond, changes } = setting
const full = stateOf(setting)
const chain = createSimulatedChain({
  id: chainId,
  state: { ...full, pools: new Map() },
  time: () => Math.floor(Date.now() / 1000),
})
const created = [...full.pools.values()]
for (let at = 0; at < created.length; at += poolsPerBlock)
  chain.mine(created.slice(at, at + poolsPerBlock))
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
    calls: node.calls.length,
    byMethod,
    bytes: node.bytes(),
    limited: node.limited(),
    mined,
  }
  process.send?.(counts)
})
process.send?.({ url: node.url, wsUrl: node.wsUrl } satisfies Ready)
process.on('disconnect', () => process.exit())
