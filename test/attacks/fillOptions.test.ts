import { numberToHex } from 'viem'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { evmGas, gasPriceOf } from '#src/core/pricing/gas/gas.ts'
import { swapLeg, withoutLimits } from '#src/core/pricing/leg/leg.ts'
import { marketAfterSwaps } from '#src/core/pricing/leg/swapSequence.ts'
import type { Order } from '#src/core/pricing/order.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { evmAddress, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd, toUsdPrice } from '#src/core/units/usd.ts'
import { filledDepositOf, payoutOf } from '#src/solver/depository/settlementPayouts.ts'
import { usesMoreGas } from '#src/solver/fills/fillCosts.ts'
import { createFillEstimates } from '#src/solver/fills/fillEstimates.ts'
import { planFill } from '#src/solver/fills/planFill.ts'
import { solver } from '#test/support/arbitraries/executionArbitrary.ts'
import {
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import {
  callOf,
  depositFor,
  fillCaseOf,
  inputOf,
  requestOf,
} from '#test/support/orders/fillCase.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const priceOf = (change: Partial<Order>): Price => {
  const price = attempt({ ...example(), ...change })
  if (price instanceof AppError) throw price
  return price
}

const user = example().user

const chain = () => {
  const found = market.chains.get(destinationChain)
  if (found === undefined) throw new Error('The fixture has no destination chain')
  return found
}

it('a fill without a price waits, because its gas would have no limit', () => {
  const request = requestOf(priceOf({}))
  const usdPrices = new Map(chain().usdPrices)
  usdPrices.delete(nativeAddress)
  const usual = evmGas(chain().gas)
  const gas = { ...usual, baseFeePerGas: usual.baseFeePerGas * 1_000_000n }
  const current = withChain(destinationChain, { usdPrices, gas })
  const plan = planFill(fillCaseOf(request, [depositFor(request)], current))
  const paid = 250_000n * gas.baseFeePerGas
  expect(
    plan,
    `the solver pays about ${paid} wei of gas for a deposit of ${depositFor(request).amount}`,
  ).toEqual({ kind: 'wait', for: 'price', currency: nativeAddress })
})

/** The market after ether has changed to this price in dollars on the destination chain. */
const withEther = (dollars: bigint) => {
  const usdPrices = new Map(chain().usdPrices)
  usdPrices.set(nativeAddress, toUsdPrice(dollars * 10n ** 18n))
  return withChain(destinationChain, { usdPrices })
}

const withBaseFee = (times: bigint) => {
  const gas = evmGas(chain().gas)
  return withChain(destinationChain, {
    gas: { ...gas, baseFeePerGas: gas.baseFeePerGas * times },
  })
}

it('a top-up is worth no more at its fill than at its quote', () => {
  const request = requestOf(priceOf({ topup: toUsd(10_000_000n) }))
  const worth = (dollars: bigint) => {
    const current = withEther(dollars)
    const plan = planFill(fillCaseOf(request, [depositFor(request)], current))
    if (plan.kind !== 'fill') throw new Error(`No fill: ${JSON.stringify(plan)}`)
    const topup = plan.spends.find(({ currency }) => currency === nativeAddress)?.amount ?? 0n
    return Number((topup * dollars) / 10n ** 12n) / 10 ** 6
  }
  for (const dollars of [3000n, 4500n, 1500n]) {
    const gained = worth(dollars) - 10
    expect(gained, `the user gained $${gained} at ${dollars} dollars`).toBeLessThanOrEqual(0)
  }
})

it.each<[string, Partial<Order>]>([
  ['an exact input', {}],
  ['an exact output', { tradeType: 'EXACT_OUTPUT' }],
  ['a fixed rate', { fixedRate: toBps(0n) }],
  [
    'calls with 30 million gas',
    { txs: [{ to: evmAddress(user), value: toAmount(0n), data: '0x' }], txsGasLimit: 30_000_000n },
  ],
  ['a sponsor', { sponsorship: {} }],
])('a fill of %s never costs the solver more than the deposit pays', (_, change) => {
  const price = priceOf({
    amount: toAmount(1_000_000_000n),
    slippageTolerance: toBps(3000n),
    ...change,
  })
  const request = requestOf(price)
  const deposit = depositFor(request)
  const kinds = [1n, 2n, 3n].map((times) => {
    const current = withBaseFee(times)
    const plan = planFill(fillCaseOf(request, [deposit], current))
    if (plan.kind !== 'fill') return plan.kind
    // USDC on both chains; ether costs 3,000 dollars.
    const gas =
      (plan.gas * gasPriceOf(current.chains.get(destinationChain)?.gas ?? chain().gas) * 3000n) /
      10n ** 12n
    const lost = plan.leg.amountIn + gas - deposit.amount - request.subsidizedUsd
    expect(
      lost,
      `the solver loses ${lost} millionths of a dollar where gas costs ${times} times as much`,
    ).toBeLessThanOrEqual(0n)
    return plan.kind
  })
  expect(kinds[0]).toBe('fill')
})

it.each<[string, Partial<Order>]>([
  ['input', {}],
  ['output', { tradeType: 'EXACT_OUTPUT' }],
])(
  'a sponsored exact %s never costs more than deposit and sponsor pay, with its settlement',
  (_, change) => {
    const destination = currencyOf(destinationChain, 'LONG')
    const request = requestOf(
      priceOf({
        destination,
        amount: toAmount(change.tradeType === undefined ? 10n ** 9n : 10n ** 21n),
        slippageTolerance: toBps(3000n),
        sponsorship: {},
        ...change,
      }),
    )
    const deposit = depositFor(request)
    const input = currencyOf(destinationChain, 'USDC')
    const kinds = new Set<string>()
    for (let tenths = 10n; tenths <= 200n; tenths += 2n)
      for (const moved of [0n, 10n ** 8n, 10n ** 9n, 2n * 10n ** 9n, 10n ** 10n]) {
        const { baseFeePerGas, ...gas } = evmGas(chain().gas)
        const current = withChain(destinationChain, {
          gas: { ...gas, baseFeePerGas: (baseFeePerGas * tenths) / 10n },
        })
        const task = { market: chain(), input, output: destination, limits: withoutLimits }
        const trade = moved === 0n ? undefined : swapLeg(task, 'exactInput', toAmount(moved))
        const market = marketAfterSwaps(current, destinationChain, trade ? [trade] : [])
        const plan = planFill(fillCaseOf(request, [deposit], market))
        kinds.add(plan.kind)
        if (plan.kind !== 'fill') continue
        const price = gasPriceOf(market.chains.get(destinationChain)?.gas ?? chain().gas)
        const paid = plan.leg.amountIn + (plan.gas * price * 3000n) / 10n ** 12n
        const lost = paid + inputOf(request).settlement - deposit.amount - request.subsidizedUsd
        expect(
          lost,
          `the solver loses ${lost} millionths of a dollar at ${tenths} tenths of the gas, ${moved}`,
        ).toBeLessThanOrEqual(0n)
      }
    expect([...kinds].sort()).toEqual(['fill', 'refund'])
  },
)

it.each<[string, Partial<Order>]>([
  ['a charged quote', {}],
  ['a sponsored quote', { sponsorship: {} }],
])('the surplus over %s of $10 gets no better price than a fair quote', (_, change) => {
  const appFees = [{ recipient: user, fee: toBps(100n) }]
  const order = { appFees, destination: currencyOf(destinationChain, 'LONG') }
  const request = requestOf(priceOf({ ...order, ...change, amount: toAmount(10_000_000n) }))
  const amount = toAmount(20_000_000_000n)
  const plan = planFill(fillCaseOf(request, [depositFor(request, { amount })], market))
  if (plan.kind !== 'fill') throw new Error(`No fill: ${JSON.stringify(plan)}`)
  const fair = priceOf({ ...order, amount }).destination.input.amount
  const gained = plan.leg.amountIn - fair - request.subsidizedUsd
  // More gas of a longer route comes out of the solver's own fee first.
  const { maxPayout, payoutAmount } = request.fill
  expect(
    gained,
    `the solver spends ${gained} millionths of a dollar more than for a fair quote`,
  ).toBeLessThanOrEqual(maxPayout - payoutAmount)
})

it.each([3_501n, 20_001n, 50_001n])(
  'the app fees of a surplus over %s satoshis never exceed what it pays for them',
  (quoted) => {
    const request = requestOf(
      priceOf({
        origin: currencyOf(originChain, 'WBTC'),
        destination: currencyOf(destinationChain, 'WBTC'),
        amount: toAmount(quoted),
        appFees: [{ recipient: user, fee: toBps(1n) }],
      }),
    )
    const deposit = depositFor(request, { amount: toAmount(quoted * 10_000n) })
    const plan = planFill(fillCaseOf(request, [deposit], market))
    if (plan.kind !== 'fill') throw new Error(`No fill: ${JSON.stringify(plan)}`)
    const lost = plan.leg.amountIn - payoutOf(filledDepositOf(deposit, { request }))
    expect(lost, `the solver loses ${lost} satoshis`).toBeLessThanOrEqual(0n)
  },
)

const txs = [{ to: evmAddress(user), value: toAmount(0n), data: '0x' as const }]
const planOf = (change: Partial<Order>) => {
  const request = requestOf(priceOf({ amount: toAmount(1_000_000_000n), ...change }))
  const plan = planFill(fillCaseOf(request, [depositFor(request)], market))
  if (plan.kind !== 'fill') throw new Error(`No fill: ${JSON.stringify(plan)}`)
  return { ...plan, call: callOf(plan, request), request }
}

it('calls that take all gas they are given take what their order pays for', async () => {
  const own = planOf({})
  const called = planOf({ txs, txsGasLimit: 10_000_000n })
  const limitOf = async ({ request, ...plan }: typeof own, simulated: bigint) => {
    const client = {
      ask: async (_: unknown, read: (answer: string) => unknown) => read(numberToHex(simulated)),
    }
    const ports = { client, log: silentLog, fillChecks: { owed: async () => 'owed' } } as never
    const { estimate } = createFillEstimates(ports, { chain: {}, solver } as never, {} as never)
    const round = {
      view: { head: { number: 1n } },
      fees: { maxFeePerGas: 1n, maxPriorityFeePerGas: 1n },
    }
    return (await estimate({ request, plan } as never, round as never))?.gas ?? 0n
  }
  const free = (await limitOf(called, called.gas)) - called.gas
  expect(free, `${free} gas of the calls is free`).toBeLessThanOrEqual(own.gas / 2n)
  // Earlier transactions of the block may make our own part need more.
  expect(await limitOf(own, own.gas)).toBe((own.gas * 13n) / 10n)
})

it('calls use no more gas than their order pays for', () => {
  const own = planOf({})
  const called = planOf({ txs, txsGasLimit: 10_000_000n })
  const free = 4_000_000n
  expect(usesMoreGas(called.gas + free, called), `${free} gas of the calls is free`).toBe(true)
  // The estimate of our own part may be low.
  expect(usesMoreGas((own.gas * 14n) / 10n, own)).toBe(false)
  expect(usesMoreGas(called.gas + (own.gas * 4n) / 10n, called)).toBe(false)
})
