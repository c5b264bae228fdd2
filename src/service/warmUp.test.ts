import { beforeEach, expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { currencyOf, originChain, wideMarket } from '#test/support/fixtures/markets.ts'
import { warmUp } from './warmUp.ts'

const price = vi.fn(priceSwap)
beforeEach(() => {
  price.mockClear()
})

const symbols = ['ETH', 'WETH', 'USDC', 'USDT', 'WBTC', 'LONG', 'DUST'] as const
const currencies = {
  ofChain: (chainId: ChainId) => symbols.map((symbol) => currencyOf(chainId, symbol)),
}

/** A clock on which each price takes the given milliseconds, in turns. */
function clockOf(...durations: readonly number[]) {
  let ms = 0
  let asked = 0
  return () => {
    asked += 1
    // Asked before and after each price.
    if (asked % 2 === 0) ms += durations[(asked / 2 - 1) % durations.length] ?? 0
    return ms
  }
}

const depsOf = (snapshot: () => Market = () => wideMarket) => ({
  market: { ready: async () => {}, snapshot, currencies },
  ending: new AbortController().signal,
  price,
  now: clockOf(5),
})

it('prices other pairs, amounts and trade types, on one chain and between two', async () => {
  await warmUp(depsOf())
  const { calls, results } = price.mock
  const seen = (of: (call: (typeof calls)[number][0]) => unknown) =>
    new Set(calls.map(([order]) => of(order))).size
  expect({
    orders: calls.length,
    priced: results.filter(({ type }) => type === 'return').length,
    pairs: seen(({ origin, destination }) =>
      [origin, destination].map(({ chainId, address }) => `${chainId} ${address}`).join(),
    ),
    amounts: seen(({ amount }) => amount),
    tradeTypes: seen(({ tradeType }) => tradeType),
    ways: seen(({ origin, destination }) => origin.chainId === destination.chainId),
  }).toMatchInlineSnapshot(`
    {
      "amounts": 15,
      "orders": 60,
      "pairs": 60,
      "priced": 60,
      "tradeTypes": 3,
      "ways": 2,
    }
  `)
})

it('ends after five prices in a row that take less than 5 ms, and after two seconds', async () => {
  const countOf = async (...durations: readonly number[]) => {
    price.mockClear()
    await warmUp({ ...depsOf(), now: clockOf(...durations) })
    return price.mock.calls.length
  }
  expect(await countOf(4.9)).toBe(5)
  expect(await countOf(80, 40, 4, 4, 4, 4, 20, 4, 4, 4, 4, 4)).toBe(12)
  expect(await countOf(4, 4, 4, 4, 5)).toBe(60)
  // Dear prices, as of hostile pools, do not keep a gateway from being ready.
  expect(await countOf(400)).toBe(5)
})

it('leaves other work a turn between two prices, and ends with the process', async () => {
  const ending = new AbortController()
  let turns = 0
  const count = () => {
    turns += 1
    if (turns === 20) ending.abort()
    else setImmediate(count)
  }
  setImmediate(count)
  await warmUp({ ...depsOf(), ending: ending.signal })
  expect([turns, price.mock.calls.length]).toEqual([20, 20])
})

it('prices nothing before the market is ready, or if no currencies have a price', async () => {
  const { market, ...deps } = depsOf()
  const opened = Promise.withResolvers<void>()
  const warm = warmUp({ ...deps, market: { ...market, ready: () => opened.promise } })
  await new Promise(setImmediate)
  expect(price).not.toHaveBeenCalled()
  opened.resolve()
  await warm
  expect(price).toHaveBeenCalled()
  price.mockClear()
  await warmUp(depsOf(() => ({ ...wideMarket, chains: new Map() })))
  expect(price).not.toHaveBeenCalled()
})

it('goes on after a refusal, and throws a defect', async () => {
  let asked = 0
  const stale = (at: number) => () => {
    asked += 1
    if (asked === at) throw new AppError('STALE_MARKET', 'Too old', { chainId: originChain })
    return wideMarket
  }
  await warmUp(depsOf(stale(3)))
  expect(price.mock.calls.length).toBe(59)
  price.mockImplementationOnce(() => {
    throw new TypeError('No such pool')
  })
  await expect(warmUp(depsOf())).rejects.toThrow('No such pool')
})
