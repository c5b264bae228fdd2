import type { ChildProcess } from 'node:child_process'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import type { Markets } from '#src/market/markets.ts'
import { ask } from '#test/bench/children.ts'
import { chainId } from './benchChain.ts'
import type { Counts } from './node.ts'
import { type Asked, startPrices } from './prices.ts'

/** The time of day in milliseconds since 1970, like that of the process that mines. */
export const now = () => performance.timeOrigin + performance.now()

export type Followed = Readonly<{
  /** Milliseconds from each mined block to its market. */
  delays: readonly number[]
  /** Of this process, in milliseconds; undefined if the event loop was watched. */
  cpuMs: number | undefined
  /** The longest stall of the event loop, in milliseconds; undefined if it was not watched. */
  stallMs: number | undefined
  /** Maximum CPU time of the main thread between two turns: a stall, without the time of other processes. */
  stallCpuMs: number | undefined
  /** The counts of the node during the measurement. */
  calls: number
  byMethod: Readonly<Record<string, number>>
  bytes: number
  limited: number
  prices: Asked
}>

/**
 * Follows for `seconds`, and asks for `pricesPerSecond` meanwhile. A timer of a millisecond watches the event loop,
 * which takes more CPU than blocks do: a measurement is either of the event loop or of CPU time.
 */
export async function observe(
  market: Markets,
  node: ChildProcess,
  {
    seconds,
    pricesPerSecond = 0,
    watchesLoop = false,
  }: Readonly<{ seconds: number; pricesPerSecond?: number; watchesLoop?: boolean }>,
): Promise<Followed> {
  const seen = new Map<number, number>()
  const height = () => Number(market.latest(chainId)?.block.number)
  const first = height()
  const unlisten = market.listen(() => {
    if (!seen.has(height())) seen.set(height(), now())
  })
  const before = await ask<Counts>(node, 'count')
  const loop = monitorEventLoopDelay({ resolution: 1 })
  const endPrices = pricesPerSecond === 0 ? () => noPrices : startPrices(market, pricesPerSecond)
  if (watchesLoop) loop.enable()
  const endTurns = watchesLoop ? watchTurns() : undefined
  const cpuBefore = process.cpuUsage()
  await setTimeout(seconds * 1000)
  const { user, system } = process.cpuUsage(cpuBefore)
  loop.disable()
  const stallCpuMs = endTurns?.()
  const prices = endPrices()
  unlisten()
  const { calls, byMethod, bytes, limited, mined } = await ask<Counts>(node, 'count')
  const delays = [...seen].flatMap(([at, time]) =>
    at > first && mined[at] !== undefined ? [time - mined[at]] : [],
  )
  return {
    delays,
    prices,
    cpuMs: watchesLoop ? undefined : (user + system) / 1000,
    stallMs: watchesLoop ? loop.max / 1e6 : undefined,
    stallCpuMs,
    calls: calls - before.calls,
    byMethod: Object.fromEntries(
      Object.entries(byMethod).map(([method, count]) => [
        method,
        count - (before.byMethod[method] ?? 0),
      ]),
    ),
    bytes: bytes - before.bytes,
    limited: limited - before.limited,
  }
}

/** @returns a function that stops it and returns the maximum CPU time between two ticks, in milliseconds. */
function watchTurns(): () => number {
  let most = 0
  let before = process.threadCpuUsage()
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before)
    most = Math.max(most, (user + system) / 1000)
    before = process.threadCpuUsage()
  }, 1)
  return () => {
    clearInterval(timer)
    return most
  }
}

const noPrices: Asked = { delays: [], refused: 0, cpuMs: 0 }

/**
 * Notes which block prices are of, at each new block and each second. More would take 1 ms of CPU a block.
 * @returns the age of the oldest that was priced, in milliseconds since it was mined
 */
export function watchAges(market: Markets): (mined: Counts['mined']) => number {
  const lastAt = new Map<number, number>()
  const note = () => {
    try {
      const block = market.snapshot([chainId]).chains.get(chainId)?.block
      if (block !== undefined) lastAt.set(Number(block.number), now())
    } catch {
      // Refused: nothing is priced.
    }
  }
  const unlisten = market.listen(note)
  const timer = setInterval(note, 1_000)
  return (mined) => {
    unlisten()
    clearInterval(timer)
    return Math.max(0, ...[...lastAt].map(([height, at]) => at - (mined[height] ?? at)))
  }
}
