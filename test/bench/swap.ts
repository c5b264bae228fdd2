import { performance } from 'node:perf_hooks'
import type { ConcentratedPool } from '#src/core/pools/concentrated/concentratedPool.ts'
import { swapExactInput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { poolOf } from '#test/support/arbitraries/poolArbitrary.ts'
import {
  createDexLib,
  createV3Sdk,
  crossquote,
  crossquoteAfterMint,
  type Engine,
  type Swap,
  type SwapCase,
} from './swapEngines.ts'

/** The number of ticks crossed for which an engine’s target applies. */
const targetTicks = 5
const rounds = 15
const sliceMs = 40

/**
 * Sixty positions around one price. Each is 180 ticks wider on both sides, so there is a tick to cross every 180
 * ticks.
 */
const positions = Array.from({ length: 60 }, (_, i) => ({
  tickLower: -180 * (i + 1),
  tickUpper: 180 * (i + 1),
  liquidity: 10n ** 20n,
}))

const pool = poolOf({ fee: 3000, tickSpacing: 60 }, positions, {
  tick: 0,
  sqrtPriceX96: 1n << 96n,
})

/** The pool at sixteen prices within the same tick range, as swaps leave it. */
const pools = Array.from({ length: 16 }, (_, i): ConcentratedPool => {
  const next = swapExactInput(pool, false, toAmount(10n ** 18n * BigInt(i + 1)))?.next
  return next?.kind === 'concentrated' ? next : pool
})

/** An amount of currency0 that crosses the given number of ticks and ends about halfway to the next one. */
function crossChainPrice(pool: ConcentratedPool, ticks: number): SwapCase {
  const ticksCrossed = (amount: bigint) =>
    swapExactInput(pool, true, toAmount(amount))?.ticksCrossed
  const minInputTo = (crossed: number): bigint => {
    let short = 1000n
    let enough = 1n << 80n
    while (enough - short > 1n) {
      const middle = (short + enough) >> 1n
      // Undefined means more than the pool can accept.
      if ((ticksCrossed(middle) ?? crossed) >= crossed) enough = middle
      else short = middle
    }
    return enough
  }
  const amountIn = toAmount((minInputTo(ticks) + minInputTo(ticks + 1)) >> 1n)
  if (ticksCrossed(amountIn) !== ticks) throw new Error(`No amount crosses ${ticks} ticks`)
  return { pool, amountIn }
}

type Runner = Readonly<{ engine: Engine; swaps: readonly Swap[]; rates: number[] }>

/** Swaps per second. */
async function measure(swaps: readonly Swap[]): Promise<number> {
  const begun = performance.now()
  let elapsed = 0
  let done = 0
  while (elapsed < sliceMs) {
    for (const swap of swaps) {
      const amountOut = swap()
      if (typeof amountOut !== 'bigint') await amountOut
    }
    done += swaps.length
    elapsed = performance.now() - begun
  }
  return (done * 1000) / elapsed
}

/** @throws Error if an engine’s output differs from ours. */
async function compareAmounts(runners: readonly Runner[]): Promise<void> {
  const amounts = await Promise.all(
    runners.map(({ swaps }) => Promise.all(swaps.map((swap) => swap()))),
  )
  runners.forEach(({ engine }, i) => {
    if (`${amounts[i]}` !== `${amounts[0]}`) throw new Error(`${engine.name} gives other amounts`)
  })
}

const median = (rates: readonly number[]): number =>
  rates.toSorted((a, b) => a - b)[rates.length >> 1] ?? 0

function report(ticks: number, runners: readonly Runner[]): string {
  const ours = median(runners[0]?.rates ?? [])
  const lines = runners.map(({ engine: { name, target }, rates }) => {
    const rate = median(rates)
    const ratio = ours / rate
    const verdict = ratio >= (target ?? 0) ? 'met' : 'MISSED'
    const judged =
      target === undefined || ticks !== targetTicks ? '' : `target ${target} ×: ${verdict}`
    const columns = [
      name.padEnd(36),
      `${Math.round(rate / 1000)}k/s`.padStart(8),
      `${ratio.toFixed(1)} ×`.padStart(8),
    ]
    return `  ${columns.join(' ')}  ${judged}`.trimEnd()
  })
  return [`${ticks} ticks crossed`, ...lines, ''].join('\n')
}

const engines = [crossquote, crossquoteAfterMint, createDexLib(), createV3Sdk()]
process.stdout.write(
  'Exact swaps a second in one concentrated pool, and how many times faster Crossquote is.\n' +
    'All engines take turns; each gives the same amounts, to the unit.\n\n',
)
for (const ticks of [0, targetTicks, 30]) {
  const cases = pools.map((each) => crossChainPrice(each, ticks))
  const runners = engines.map(
    (engine): Runner => ({ engine, swaps: cases.map(engine.prepare), rates: [] }),
  )
  await compareAmounts(runners)
  for (let round = 0; round < rounds; round++)
    for (const { swaps, rates } of runners) rates.push(await measure(swaps))
  process.stdout.write(`${report(ticks, runners)}\n`)
}
