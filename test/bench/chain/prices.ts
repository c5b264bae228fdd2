import { setImmediate, setTimeout } from 'node:timers/promises'
import { AppError } from '#src/core/errors.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { KnownCurrencies, MarketSnapshots } from '#src/market/markets.ts'
import { choose, createRandom } from '#test/bench/route/generate/random.ts'
import { plain } from '#test/support/orders/orders.ts'
import { chainId } from './benchChain.ts'

/** Milliseconds of each answer from when it was due, how many orders were refused, and the CPU time of all together. */
export type Asked = Readonly<{ delays: readonly number[]; refused: number; cpuMs: number }>

const user = toAddress(`0x${'1'.repeat(40)}`)

/**
 * Prices swaps of 1,000 to 100,000 dollars between any two tokens, as a gateway does within a request. The next order is
 * due whether the last one is answered or not: who waits for a stall of the event loop is counted with it.
 * @returns what ends it
 */
export function startPrices(
  market: MarketSnapshots & KnownCurrencies,
  perSecond: number,
): () => Asked {
  const random = createRandom(7)
  const currencies = market.currencies.ofChain(chainId).filter(({ metadata }) => !metadata.isNative)
  const startedAt = performance.now()
  const delays: number[] = []
  let refused = 0
  let cpuMs = 0

  function nextOrder(): Order {
    const origin = choose(random, currencies)
    const others = currencies.filter((each) => each !== origin)
    const amount = toAmount(BigInt(Math.floor(1_000 * 100 ** random())) * 10n ** 18n)
    const destination = choose(random, others)
    const sides = { user, recipient: user, refundTo: user, origin, destination }
    return { ...plain, ...sides, amount, tradeType: 'EXACT_INPUT' }
  }

  function priceNext(): void {
    try {
      priceSwap(nextOrder(), market.snapshot([chainId]))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused += 1
    }
  }

  let isEnded = false
  /** Requests one price in each turn of the event loop, like separate requests. */
  async function run(): Promise<void> {
    while (!isEnded) {
      const dueAt = startedAt + (delays.length * 1000) / perSecond
      const waitMs = dueAt - performance.now()
      await (waitMs > 0 ? setTimeout(waitMs) : setImmediate())
      if (performance.now() < dueAt) continue
      const before = process.threadCpuUsage()
      priceNext()
      const { user, system } = process.threadCpuUsage(before)
      cpuMs += (user + system) / 1000
      delays.push(performance.now() - dueAt)
    }
  }

  void run()
  return () => {
    isEnded = true
    return { delays, refused, cpuMs }
  }
}
