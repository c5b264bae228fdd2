import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { toChainId } from '#src/units/chainId.ts'
import { manyPools } from '#test/support/simulatedNode/manyPools.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import type { Counts, Ready, Setting } from './chain/node.ts'
import { ask, startChild } from './children.ts'

/**
 * Measures the market of one chain with whole factories behind an ordinary endpoint: a simulated node, which runs as a
 * second process. CPU and memory are those of this process, which only follows the chain. The arguments are the numbers
 * of pools: `npm run bench:chain -- 300 100`.
 */
const [ofUniswapV2 = 5_000, ofUniswapV3 = 2_000] = process.argv.slice(2).map(Number)
const pools = { pairs: ofUniswapV2, concentrated: ofUniswapV3, changes: 50 }
const measuredSeconds = 20

const settings: readonly Setting[] = [
  { ...pools, blockMs: 250, latencyMs: 20 },
  { ...pools, blockMs: 250, latencyMs: 20, requestsPerSecond: 300 },
  { ...pools, blockMs: 2_000, latencyMs: 80, requestsPerSecond: 300 },
  { ...pools, blockMs: 2_000, latencyMs: 80, requestsPerSecond: 25 },
]

const id = toChainId(990_103)
const now = () => performance.timeOrigin + performance.now()

const print = (name: string, value: string) =>
  process.stdout.write(`${name.padEnd(60)}${value.padStart(20)}\n`)

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

async function measure(setting: Setting): Promise<void> {
  const { pairs, concentrated, blockMs, latencyMs, requestsPerSecond = 'any number of' } = setting
  const node = startChild('chain/node.ts', JSON.stringify(setting))
  try {
    const { url, wsUrl } = await ask<Ready>(node)
    const state = manyPools(id, { pairs, concentrated })
    const startedAt = now()
    await ask<Counts>(node, 'mine')
    const { market, close } = startSimulatedMarket(
      createSimulatedChain({ id, state }),
      [requestsPerSecond === 'any number of' ? url : { url, requestsPerSecond }],
      { wsUrl, blockSeconds: blockMs / 1000 },
    )
    await market.ready()
    const readyMs = now() - startedAt
    const atReady = await ask<Counts>(node, 'count')
    print(
      `${pairs} + ${concentrated} pools, a block each ${blockMs} ms, ${latencyMs} ms of latency, ${requestsPerSecond} requests/s`,
      '',
    )
    print('  from nothing to the first snapshot', `${(readyMs / 1000).toFixed(1)} s`)
    print('  requests for it, of them refused', `${atReady.calls}, ${atReady.limited}`)
    print('  bytes for it', `${(atReady.bytes / 1e6).toFixed(1)} MB`)

    const height = () => Number(market.latest(id)?.block.number)
    for (let mined = Number.POSITIVE_INFINITY; height() < mined; await setTimeout(10))
      mined = Math.max(...Object.keys((await ask<Counts>(node, 'count')).mined).map(Number))
    print('  until it has caught up with the head', `${((now() - startedAt) / 1000).toFixed(1)} s`)

    const seen: Readonly<{ height: number; at: number }>[] = []
    const unlisten = market.listen(() => {
      if (seen.at(-1)?.height !== height()) seen.push({ height: height(), at: now() })
    })
    const caughtUp = await ask<Counts>(node, 'count')
    const loop = monitorEventLoopDelay({ resolution: 1 })
    loop.enable()
    const before = process.cpuUsage()
    await setTimeout(measuredSeconds * 1000)
    const { user, system } = process.cpuUsage(before)
    loop.disable()
    unlisten()
    const { calls, byMethod, bytes, limited, mined } = await ask<Counts>(node, 'count')
    const delays = seen.flatMap(({ height, at }) => {
      const minedAt = mined[height]
      return minedAt === undefined ? [] : [at - minedAt]
    })
    const blocks = (measuredSeconds * 1000) / blockMs
    print('  blocks that were mined, and that became a market', `${blocks}, ${seen.length}`)
    for (const share of [0.5, 0.99])
      print(
        `  from a block to its market, p${share * 100}`,
        `${quantile(delays, share).toFixed(0)} ms`,
      )
    print('  CPU per block', `${((user + system) / 1000 / blocks).toFixed(1)} ms`)
    print('  longest stall of the event loop', `${(loop.max / 1e6).toFixed(0)} ms`)
    print(
      '  requests per block, verification included; refused',
      `${((calls - caughtUp.calls) / blocks).toFixed(1)}, ${limited - caughtUp.limited}`,
    )
    for (const [method, count] of Object.entries(byMethod)) {
      const each = (count - (caughtUp.byMethod[method] ?? 0)) / blocks
      if (each > 0) print(`    ${method}`, each.toFixed(2))
    }
    print('  bytes per block', `${((bytes - caughtUp.bytes) / blocks / 1000).toFixed(0)} kB`)
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    print(
      '  memory: live, RSS',
      `${(heapUsed / 2 ** 20).toFixed(0)} MB, ${(rss / 2 ** 20).toFixed(0)} MB`,
    )
    await close()
  } finally {
    node.kill()
  }
}

for (const setting of settings) await measure(setting)
process.exit()
