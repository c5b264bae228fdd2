import fc from 'fast-check'
import { serializeTransaction } from 'viem'
import { expect, it } from 'vitest'
import type { Price } from '#src/core/pricing/price.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { depositFor, requestOf } from '#test/support/orders/fillCase.ts'
import { attempt, example } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { createAttemptCosts, createRefundPrice } from './refundPrice.ts'

const raw = serializeTransaction({ type: 'eip1559', chainId: 1, to: account('f'), data: '0x01' })
const request = requestOf(attempt(example()) as Price)
const owed = depositFor(request)
const listed = (['USDC', 'ETH', 'LONG'] as const).map((each) => currencyOf(originChain, each))

/** The share of `owed` in the gas of a reverted sweep for these deposits of its request. */
function shareAmong(deposits: readonly Deposit[]) {
  const reverted = {
    purpose: 'sweep',
    status: 'reverted',
    chainId: originChain,
    account: account('8'),
    depositIds: [],
    attempts: [{ hash: '0xab', raw }],
    mined: { hash: '0xab', block: { number: 1n, hash: '0xac' } },
    failedCost: 10n ** 14n,
  }
  const costOf = createAttemptCosts(
    {
      store: {
        find: async () => request,
        transactionsOf: async () => [reverted],
        depositsOf: async () => deposits,
        findDeposits: async () => deposits,
      } as never,
      market: {
        snapshot: () => market,
        currencies: {
          known: ({ address }: { address: string }) =>
            listed.find((each) => each.address === address),
        },
      } as never,
    },
    async () => 0n,
  )
  return costOf(owed)
}

it.each([
  ['without a price', account('e')],
  ['with a price that anybody can set', currencyOf(originChain, 'LONG').address],
])(
  'a deposit of a currency %s neither delays nor pays for the refund of another',
  async (_, currency) => {
    const alone = await shareAmong([owed])
    expect(alone).toBeGreaterThan(0n)
    const foreign = { ...owed, depositId: 'foreign', currency, amount: toAmount(10n ** 24n) }
    expect(await shareAmong([owed, foreign])).toBe(alone)
  },
)

it('a deposit that pays for its refund also bears what it can of a failed transaction that cost more', async () => {
  const priceWith = (failedCost: bigint, deposit = owed) => {
    const reverted = {
      purpose: 'fill',
      status: 'reverted',
      chainId: originChain,
      account: account('8'),
      depositIds: [owed.depositId],
      attempts: [{ hash: '0xab', raw }],
      mined: { hash: '0xab', block: { number: 1n, hash: '0xac' } },
      failedCost,
    }
    const ports = {
      client: { ask: async (_: unknown, parse: (answer: string) => bigint) => parse('0x186a0') },
      store: {
        find: async () => request,
        transactionsOf: async () => [reverted],
        depositsOf: async () => [owed],
        findDeposits: async () => [owed],
      },
      market: {
        snapshot: () => market,
        currencies: {
          known: ({ address }: { address: string }) =>
            listed.find((each) => each.address === address),
        },
      },
    }
    const priceOf = createRefundPrice(
      ports as never,
      { chain: { id: originChain }, solver: account('8') } as never,
      { maxRefundGas: 500_000 } as never,
    )
    const call = { to: account('9'), data: '0x', value: 0n } as const
    return priceOf({ deposit, request, recipient: owed.depositor }, async () => call)
  }
  const free = await priceWith(0n)
  if (free.kind !== 'amount') throw new Error(free.kind)
  // A dollar of a hundred, then a thousand dollars: without a refund the depositor would take all of the deposit back later.
  const dollar = 10n ** 18n / 3000n
  expect(await priceWith(dollar)).toMatchObject({ amount: free.amount - 1_000_000n })
  expect(await priceWith(1000n * dollar)).toMatchObject({ kind: 'amount', amount: 1n })
  const { record: _, ...transfer } = owed
  expect(await priceWith(1000n * dollar, transfer)).toMatchObject({ kind: 'tooLow', retry: false })
})

it('the deposits of a request on several chains bear a failed fill exactly once, rounded up', async () => {
  const paid = fc.record({
    chainId: fc.constantFrom(originChain, destinationChain, thirdChain),
    symbol: fc.constantFrom(...(['ETH', 'USDC', 'USDT', 'WBTC'] as const)),
    amount: fc.oneof(fc.bigInt(1n, 100n), fc.bigInt(1n, 10n ** 24n)),
  })
  const cases = fc.tuple(
    fc.array(paid, { minLength: 1, maxLength: 4 }),
    fc.array(paid, { maxLength: 2 }),
    fc.bigInt(1n, 10n ** 18n),
  )
  const born = fc.asyncProperty(cases, async ([filled, others, failedCost]) => {
    const deposits = [...filled, ...others].map(({ chainId, symbol, amount }, at): Deposit => {
      const { address: currency } = currencyOf(chainId, symbol)
      return { ...owed, depositId: `${at}`, chainId, currency, amount: toAmount(amount) }
    })
    const fill = {
      purpose: 'fill',
      status: 'reverted',
      chainId: destinationChain,
      account: account('8'),
      depositIds: filled.map((_, at) => `${at}`),
      attempts: [{ hash: '0xab', raw }],
      mined: { hash: '0xab', block: { number: 1n, hash: '0xac' } },
      failedCost,
    }
    const known = ({ chainId, address }: Pick<Currency, 'chainId' | 'address'>) =>
      (['USDC', 'USDT', 'WBTC'] as const)
        .map((each) => currencyOf(chainId, each))
        .find((each) => each.address === address)
    const costOf = createAttemptCosts(
      {
        store: {
          find: async () => request,
          transactionsOf: async () => [fill],
          depositsOf: async () => deposits,
          findDeposits: async (ids: readonly string[]) =>
            deposits.filter(({ depositId }) => ids.includes(depositId)),
        } as never,
        market: { snapshot: () => wideMarket, currencies: { known } } as never,
      },
      async () => 0n,
    )
    let sum = 0n
    let units = 0n
    for (const [at, deposit] of deposits.entries()) {
      const share = await costOf(deposit)
      if (share === undefined) throw new Error('No price')
      if (at >= filled.length) expect(share).toBe(0n)
      const chain = wideMarket.chains.get(deposit.chainId)
      const { symbol = 'ETH' } = [...filled, ...others][at] ?? {}
      const { decimals } = currencyOf(deposit.chainId, symbol)
      // In 10^-36 dollars.
      const unit = (chain?.usdPrices.get(deposit.currency) ?? 0n) * 10n ** BigInt(18 - decimals)
      sum += share * unit
      if (at < filled.length) units += 2n * unit + 10n ** 20n
    }
    const cost = failedCost * 3000n * 10n ** 18n
    expect(sum).toBeGreaterThanOrEqual(cost)
    expect(sum - cost).toBeLessThanOrEqual(units)
  })
  await fc.assert(born, { numRuns: runs(300) })
})
