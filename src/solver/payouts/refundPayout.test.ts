import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
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
import { decided, depositOf, multiInputRequest } from '#test/support/orders/multiInputCase.ts'
import { attempt, example, other } from '#test/support/orders/orders.ts'
import { refundAmount, refundRecipientOf } from './refundPayout.ts'

const [first, second, stranger] = ['1', '2', '9'].map(account)

const origin = (chainId: typeof originChain, symbol: 'USDC' | 'USDT', digit: string) => ({
  user: account(digit),
  refundTo: account(`${Number(digit) + 4}`),
  currency: currencyOf(chainId, symbol),
  amount: toAmount(100_000_000n),
})

/** USDC of two accounts on one chain, and of one of them on another. */
const request = multiInputRequest(
  priceMulti(
    {
      user: account('1'),
      recipient: account('4'),
      origins: [
        origin(originChain, 'USDC', '1'),
        origin(originChain, 'USDC', '2'),
        origin(thirdChain, 'USDC', '1'),
      ],
      destination: currencyOf(destinationChain, 'USDC'),
      originGasOverhead: 0n,
      txs: [],
    },
    wideMarket,
  ),
  { partial: false, createdAt: 1_800_000_000, until: 1_800_001_000 },
)

const theirs = (digit: string, chainId: typeof originChain): number =>
  request.inputs.findIndex((each) => each.user === account(digit) && each.chainId === chainId)

const currency = currencyOf(originChain, 'WBTC').address

it.each([
  ['its own user', '5', { depositor: first }],
  ['the other user', '6', { depositor: second }],
  ['its own user in another currency', '6', { depositor: second, currency }],
  ['a stranger in its currency', '5', { depositor: stranger }],
  ['a stranger in another currency', '9', { depositor: stranger, currency }],
  ['its own user on another chain of the order', '5', { chainId: thirdChain, depositor: second }],
  ['on no chain of the order', '2', { chainId: destinationChain, depositor: second }],
])('refunds a deposit that funds no input, from %s, to %s', (_, recipient, change) => {
  const thirdCurrency = currencyOf(thirdChain, 'USDC').address
  const own =
    'chainId' in change && change.chainId === thirdChain ? { currency: thirdCurrency } : {}
  const deposit = depositOf(request, theirs('1', originChain), { ...own, ...change } as object)
  expect(refundRecipientOf(request, deposit)).toBe(account(recipient))
})

it('refunds a funding deposit of any depositor to the refundTo of its input', () => {
  const at = theirs('2', originChain)
  const deposit = depositOf(request, at, { depositor: first as never })
  const all = request.inputs.map((_, place) => (place === at ? deposit : undefined))
  expect(refundRecipientOf(decided(request, all), deposit)).toBe(account('6'))
})

it('refunds every deposit of a single-input request to its refundTo', () => {
  const price = attempt({ ...example(), refundTo: other })
  if (price instanceof Error) throw price
  const single = requestOf(price)
  const deposit = depositFor(single, { chainId: thirdChain, depositor: account('9') })
  expect(refundRecipientOf(single, deposit)).toBe(other)
})

it('refunds a deposit that cannot go to an account of another virtual machine to its depositor', () => {
  const single = { ...requestOf(attempt(example()) as Price), refundTo: svmNative }
  const deposit = depositFor(single, { depositor: account('9') })
  expect(refundRecipientOf(single, deposit)).toBe(account('9'))
})

const chain = market.chains.get(originChain) as ChainMarket
const usdc = currencyOf(originChain, 'USDC').address
const size = { gas: 100_000n, bytes: 600n }
const cost = transactionCost(chain.gas, size)

describe('refundAmount', () => {
  it('refunds the deposit minus the gas, rounded against the recipient', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 10n ** 20n), (value) => {
        const amount = toAmount(value)
        const native = refundAmount(
          { chainId: originChain, currency: nativeAddress, amount },
          market,
          chain,
          size,
        )
        expect(native.kind === 'amount' ? native.amount : 0n).toBe(
          amount > cost ? amount - cost : 0n,
        )
        const paid = refundAmount(
          { chainId: originChain, currency: usdc, amount },
          market,
          chain,
          size,
        )
        if (paid.kind !== 'amount') return
        // 1 ETH is 3,000 dollars, and USDC has 6 decimals.
        const taken = amount - paid.amount
        expect(taken * 10n ** 12n).toBeGreaterThanOrEqual(cost * 3000n)
        expect((taken - 1n) * 10n ** 12n).toBeLessThan(cost * 3000n)
      }),
    )
  })

  it('waits without a known price, and for cheaper gas unless the deposit is worth next to nothing', () => {
    const kindOf = (deposit: Pick<Deposit, 'currency' | 'amount'>, on = chain) =>
      refundAmount({ chainId: originChain, ...deposit }, market, on, size).kind
    const deposit = { currency: usdc, amount: toAmount(10n ** 12n) }
    const unpriced = { ...chain, usdPrices: new Map() }
    expect(kindOf(deposit, unpriced)).toBe('noPrice')
    const gas = { currency: nativeAddress, amount: cost }
    expect(kindOf(gas)).toBe('gasTooHigh')
    expect(kindOf(gas, unpriced)).toBe('noPrice')
    expect(kindOf({ ...gas, amount: toAmount(cost + 1n) }, unpriced)).toBe('amount')
    expect(kindOf({ ...deposit, amount: toAmount(100_001n) })).toBe('gasTooHigh')
    expect(kindOf({ ...deposit, amount: toAmount(100_000n) })).toBe('dust')
  })

  it('takes no gas in a currency that the solver does not bridge, at any price', () => {
    const long = currencyOf(originChain, 'LONG').address
    const weth = currencyOf(originChain, 'WETH').address
    const amount = toAmount(10n ** 24n)
    const kindOf = (currency: typeof long) =>
      refundAmount({ chainId: originChain, currency, amount }, market, chain, size).kind
    expect(chain.usdPrices.has(long)).toBe(true)
    expect([kindOf(long), kindOf(weth), kindOf(usdc)]).toEqual(['dust', 'amount', 'amount'])
  })
})
