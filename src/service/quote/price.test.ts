import { expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import {
  currencyOf,
  destinationChain,
  originChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { balanceInTime } from './issues.ts'
import { price, prices } from './price.ts'

const requestOf = (changed: object = {}) =>
  priceInput.parse({
    user: `0x${'11'.repeat(20)}`,
    originChainId: originChain,
    originCurrency: nativeAddress,
    destinationChainId: destinationChain,
    destinationCurrency: currencyOf(destinationChain, 'USDC').address,
    amount: '1000000000000000000',
    tradeType: 'EXACT_INPUT',
    ...changed,
  })

/** The market with later blocks, one for each time that it is asked. */
function movingMarket(): () => Market {
  let height = 0n
  return () => {
    height += 1n
    const chains = [...wideMarket.chains].map(([id, chain]) => {
      return [id, { ...chain, block: { ...chain.block, number: height } }] as const
    })
    return { ...wideMarket, chains: new Map(chains) }
  }
}

it('lets each order of a request wait for its turn', async () => {
  const beginOrder = vi.fn(async () => {
    throw new AppError('OVERLOADED', 'Later')
  })
  const { deps } = createQuoteDeps({ beginOrder })
  const found = await prices(deps, [requestOf(), requestOf()], loaders, client)
  expect(found.map((each) => each instanceof AppError && each.code)).toEqual([
    'OVERLOADED',
    'OVERLOADED',
  ])
  expect(beginOrder.mock.calls).toEqual([[client], [client]])
})

it('prices all orders on the same blocks while the market goes on', async () => {
  const { deps } = createQuoteDeps({ snapshot: movingMarket() })
  const found = await prices(deps, [requestOf(), requestOf(), requestOf()], loaders, client)
  const heights = found.flatMap((each) => ('blocks' in each ? each.blocks : []))
  expect(heights.map(({ number }) => number)).toEqual([1n, 1n, 1n, 1n, 1n, 1n])
})

it('gives the error of an order in its place, and the same prices as one by one', async () => {
  const { deps } = createQuoteDeps()
  const requests = [requestOf(), requestOf({ originChainId: 5 }), requestOf({ amount: '7' })]
  const found = await prices(deps, requests, loaders, client)
  for (const [at, request] of requests.entries()) {
    const alone = await price(deps, request, loaders, client).catch((error: unknown) => error)
    const plain = (each: unknown) =>
      each instanceof AppError
        ? each
        : {
            ...(each as object),
            userBalance: undefined,
            warnings: undefined,
            issues: undefined,
          }
    expect(plain(found[at])).toEqual(plain(alone))
  }
  expect(found[1]).toMatchObject({ code: 'UNSUPPORTED_CHAIN' })
})

it('masks and logs a bug in the price of one order', async () => {
  const logged: unknown[] = []
  const { deps } = createQuoteDeps({
    log: { debug: () => undefined, error: (facts: unknown) => void logged.push(facts) },
    snapshot: () => {
      throw new TypeError('secret')
    },
  })
  const [found] = await prices(deps, [requestOf()], loaders, client)
  expect(found).toMatchObject({ code: 'UNKNOWN_ERROR' })
  expect(`${found}`).not.toContain('secret')
  expect(logged).toHaveLength(1)
})

it('waits 250 ms for a balance, and no longer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    let balance: unknown = 'waiting'
    const never = new Promise<never>(() => {})
    const { deps } = createQuoteDeps()
    const priced = await price(deps, requestOf(), { ...loaders, balance: () => never }, client)
    const reading = priced.userBalance().then((found) => {
      balance = found
    })
    await vi.advanceTimersByTimeAsync(249)
    expect(balance).toBe('waiting')
    await vi.advanceTimersByTimeAsync(1)
    await reading
    expect(balance).toBeUndefined()
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

it('gives a balance that came while this process was too busy to read it', async () => {
  const found = balanceInTime(new Promise((resolve) => setImmediate(resolve, toAmount(5n))))
  const busyUntil = performance.now() + 300
  while (performance.now() < busyUntil);
  expect(await found).toBe(5n)
})

it('gives no balance if it cannot be read, and fails on a bug', async () => {
  const failing = (error: Error) => balanceInTime(Promise.reject(error))
  expect(await balanceInTime(Promise.resolve(toAmount(5n)))).toBe(5n)
  expect(await failing(new AppError('RPC_HTTP_ERROR', 'No node answers'))).toBeUndefined()
  await expect(failing(new TypeError('A bug'))).rejects.toThrow('A bug')
})
