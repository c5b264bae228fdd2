import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { createMemorySearches, type SearchStore } from '#src/chains/search/searchStore.ts'
import { warmUp } from '#src/service/warmUp.ts'
import { createSimulatedChain } from '#test/support/simulatedNode/simulatedChain.ts'
import { startSimulatedMarket } from '#test/support/simulatedNode/simulatedMarket.ts'
import { chainId, configOf, type Setting, stateOf } from './chain/benchChain.ts'
import type { Counts, Ready } from './chain/node.ts'
import { type Followed, now, observe, watchAges } from './chain/observe.ts'
import { ask, startChild } from './children.ts'

/**
 * Measures the market of one chain with whole factories behind an ordinary endpoint: a simulated node, which runs as a
 * second process. CPU and memory are those of this process, which follows the chain and prices. The arguments are the
 * numbers of pools, and of the settings to measure: `npm run bench:chain -- 300 100 0 3`.
 */
const [ofUniswapV2 = 5_000, ofUniswapV3 = 2_000, ...chosen] = process.argv.slice(2).map(Number)
const pools = { pairs: ofUniswapV2, concentrated: ofUniswapV3, changes: 50 }
/** Of each measurement. */
const minSeconds = 20
const minBlocks = 20
/** Blocks that are followed before: V8 compiles what a block needs. */
const firstBlocks = 40
const pricesPerSecond = 200
const verifyCallsPerSecond = 2
const maxMegabytes = 400
/** The default of `maxMarketAgeSeconds` for blocks of up to 3 s. */
const maxAgeMs = 15_000

const settings: readonly Setting[] = [
  { ...pools, blockMs: 250, latencyMs: 20 },
  { ...pools, blockMs: 250, latencyMs: 20, requestsPerSecond: 300 },
  { ...pools, blockMs: 2_000, latencyMs: 80, requestsPerSecond: 300 },
  { ...pools, blockMs: 2_000, latencyMs: 80, requestsPerSecond: 25 },
]

const print = (name: string, value = '') =>
  process.stdout.write(`${name.padEnd(64)}${value.padStart(20)}\n`)

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN

const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`
const inSeconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`

/** Whether the value is at most the target. */
function judge(name: string, [value, target]: readonly [number, number], text: string): void {
  print(`  ${value <= target ? 'met    ' : 'NOT met'} ${name}`, text)
}

type Place = Readonly<{ setting: Setting; node: ChildProcess; at: Ready; searches: SearchStore }>

/** Starts the market, and prints the costs of the start. */
async function start(name: string, { setting, node, at, searches }: Place) {
  const state = stateOf(setting)
  const { requestsPerSecond } = setting
  const startedAt = now()
  const before = await ask<Counts>(node, 'count')
  const cpuBefore = process.cpuUsage()
  const { market, close } = startSimulatedMarket(
    createSimulatedChain({ id: chainId, state }),
    [requestsPerSecond === undefined ? at.url : { url: at.url, requestsPerSecond }],
    { ...configOf(state, setting, at.wsUrl), verifyCallsPerSecond },
    { time: Date.now, searches },
  )
  const oldest = watchAges(market)
  await warmUp({ market, ending: new AbortController().signal })
  const readyMs = now() - startedAt
  const ready = await ask<Counts>(node, 'count')
  const { user, system } = process.cpuUsage(cpuBefore)
  print(`  ${name}: until it is ready`, inSeconds(readyMs))
  print('    CPU for it', inSeconds((user + system) / 1000))
  print(
    '    requests for it, of them refused',
    `${ready.calls - before.calls}, ${ready.limited - before.limited}`,
  )
  print('    traffic of these', `${((ready.bytes - before.bytes) / 1e6).toFixed(1)} MB`)
  return { market, close, readyMs, oldest }
}

function report(blocks: number, followed: Followed): void {
  const { delays, cpuMs, stallMs, stallCpuMs, prices, calls, limited, byMethod, bytes } = followed
  const each = (count: number) => count / blocks
  print('    blocks that were mined, and that became a market', `${blocks}, ${delays.length}`)
  print(
    '    from a block to its market, p50 and p99',
    `${ms(quantile(delays, 0.5))}, ${ms(quantile(delays, 0.99))}`,
  )
  if (cpuMs !== undefined) print('    CPU per block', ms(each(cpuMs)))
  if (stallMs !== undefined && stallCpuMs !== undefined)
    print('    longest stall of the event loop, most CPU', `${ms(stallMs)}, ${ms(stallCpuMs)}`)
  print('    requests per block, of them refused', `${each(calls).toFixed(2)}, ${limited}`)
  for (const [method, count] of Object.entries(byMethod))
    if (count > 0) print(`      ${method}`, each(count).toFixed(2))
  print('    traffic per block', `${(each(bytes) / 1000).toFixed(0)} kB`)
  if (prices.delays.length === 0) return
  print('    prices asked for, of them refused', `${prices.delays.length}, ${prices.refused}`)
  print('    CPU of a price', ms(prices.cpuMs / prices.delays.length))
  print(
    '    a price, p50 and p99',
    `${ms(quantile(prices.delays, 0.5))}, ${ms(quantile(prices.delays, 0.99))}`,
  )
}

async function measure(setting: Setting): Promise<void> {
  const { pairs, concentrated, blockMs, latencyMs, requestsPerSecond = 'any number of' } = setting
  const node = startChild('chain/node.ts', JSON.stringify(setting))
  try {
    const at = await ask<Ready>(node)
    print(
      `${pairs} + ${concentrated} pools, a block each ${blockMs} ms, ${latencyMs} ms of latency, ${requestsPerSecond} requests/s`,
    )
    await ask<Counts>(node, 'mine')
    const searches = createMemorySearches()
    const place = { setting, node, at, searches }
    const cold = await start('from nothing', place)
    const { market } = cold
    const height = () => Number(market.latest(chainId)?.block.number)
    for (let mined = Number.POSITIVE_INFINITY; height() < mined; await setTimeout(10))
      mined = Math.max(...Object.keys((await ask<Counts>(node, 'count')).mined).map(Number))
    const seconds = Math.max(minSeconds, (minBlocks * blockMs) / 1000)
    const blocks = (seconds * 1000) / blockMs
    await setTimeout(firstBlocks * blockMs)
    print('  without prices beside')
    const quiet = await observe(market, node, { seconds })
    report(blocks, quiet)
    print('  the same, with an eye on the event loop')
    const watched = await observe(market, node, { seconds, watchesLoop: true })
    report(blocks, watched)
    print(`  with ${pricesPerSecond} prices/s beside`)
    const busy = await observe(market, node, { seconds, pricesPerSecond, watchesLoop: true })
    report(blocks, busy)
    globalThis.gc?.()
    const { rss, heapUsed } = process.memoryUsage()
    const [live, resident] = [heapUsed, rss].map((bytes) => bytes / 2 ** 20) as [number, number]
    print('  memory: live, RSS', `${live.toFixed(0)} MB, ${resident.toFixed(0)} MB`)
    const oldestMs = cold.oldest((await ask<Counts>(node, 'count')).mined)
    await cold.close()
    const warm = await start('from the store', place)
    await warm.close()
    const verified = verifyCallsPerSecond * (blockMs / 1000)
    const delay = quantile(busy.delays, 0.99)
    const price = quantile(busy.prices.delays, 0.99)
    const calls = quiet.calls / blocks
    const cpu = (quiet.cpuMs ?? Number.NaN) / blocks
    const stall = watched.stallMs ?? Number.NaN
    const turn = watched.stallCpuMs ?? Number.NaN
    judge('block to price, p99', [delay, latencyMs + 100], `${ms(delay)} of ${latencyMs + 100}`)
    judge('price, p99', [price, 25], `${ms(price)} of 25`)
    judge('start from the store', [warm.readyMs, 10_000], `${inSeconds(warm.readyMs)} of 10`)
    judge('oldest block that was priced', [oldestMs, maxAgeMs], `${inSeconds(oldestMs)} of 15`)
    judge('requests per block', [calls, 3 + verified], `${calls.toFixed(2)} of 3 + ${verified}`)
    judge('CPU per block', [cpu, 5], `${ms(cpu)} of 5`)
    judge('longest stall', [stall, 10], `${ms(stall)} of 10`)
    judge('most CPU between two turns', [turn, 10], `${ms(turn)} of 10`)
    judge('memory', [resident, maxMegabytes], `${resident.toFixed(0)} MB of ${maxMegabytes}`)
  } finally {
    node.kill()
  }
}

const [at, ...others] = chosen.length === 0 ? settings.keys() : chosen
const setting = settings[at ?? 0]
if (setting === undefined) throw new RangeError(`No such setting: ${at}`)
if (others.length === 0) await measure(setting)
// Each in a process of its own: memory, and code that is compiled, are those of the setting alone.
else
  for (const each of [at, ...others]) {
    const child = startChild('chain.ts', ...[ofUniswapV2, ofUniswapV3, each].map(String))
    await once(child, 'exit')
  }
process.exit()
