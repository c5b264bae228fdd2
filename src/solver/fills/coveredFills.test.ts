import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { settlementCost } from '#src/core/pricing/fees/solverCosts.ts'
import { evmGas, gasPriceOf, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Order } from '#src/core/pricing/order.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { filledDepositOf, payoutOf } from '#src/solver/depository/settlementPayouts.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { depositFor, fillCaseOf, inputOf, requestOf } from '#test/support/orders/fillCase.ts'
import { plain } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { planFill } from './planFill.ts'

const chainOf = (id: typeof originChain): ChainMarket => {
  const chain = market.chains.get(id)
  if (chain === undefined) throw new Error(`No chain ${id}`)
  return chain
}

const decimals = fc.constantFrom(0, 2, 6, 8, 18, 24)

const cases = fc.record({
  deposited: decimals,
  paidOut: decimals,
  /** Of a dollar. */
  thousandths: fc.bigInt(1n, 10n ** 7n),
  tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
  slippage: fc.constantFrom(0n, 50n, 1000n),
  appFees: fc.array(fc.bigInt(0n, 300n), { maxLength: 2 }),
  fixedRate: fc.option(fc.bigInt(0n, 30n), { nil: undefined }),
  isSponsored: fc.boolean(),
  /** Gas price of the fill, in tenths of the quoted one. */
  gasTenths: fc.bigInt(1n, 40n),
  /** Share of the ordered deposit, in thousandths. */
  share: fc.oneof(fc.constant(1000n), fc.bigInt(900n, 1100n), fc.bigInt(1n, 300_000n)),
  /** Whether the deposit is a plain transfer, although the quote asks for a call of the depository. */
  isPlain: fc.boolean(),
})

it('no fill costs more than its deposit and its sponsor pay, whatever the decimals, the gas and the surplus', () => {
  let fills = 0
  const [origin, destination] = [chainOf(originChain), chainOf(destinationChain)]
  const settlementWei = (explicitDeposit: boolean) =>
    transactionCost(
      origin.gas,
      sizesOf(origin.gas).settlement(currencyOf(originChain, 'USDC').address, { explicitDeposit }),
    )
  /** The settlement of a plain transfer takes a transaction of its own. */
  const plainWei = settlementWei(false) - settlementWei(true)
  const covered = fc.property(cases, (given) => {
    const { deposited, paidOut, thousandths, tradeType, fixedRate, share } = given
    const deposit = { ...currencyOf(originChain, 'USDC'), decimals: deposited }
    const payout = { ...currencyOf(destinationChain, 'USDC'), decimals: paidOut }
    const currencies = new Map([deposit, payout].map((each) => [each.chainId, each]))
    const assets = market.assets
      .filter(({ symbol }) => symbol === 'USDC')
      .map((asset) => ({ ...asset, currencies }))
    const solverBalances = new Map([
      ...destination.solverBalances,
      [payout.address, toAmount(10n ** 40n)],
    ])
    const at = (gas: ChainMarket['gas']): Market => {
      const current = { ...destination, gas, solverBalances }
      return { ...market, assets, chains: new Map(market.chains).set(destinationChain, current) }
    }
    const amountDecimals = tradeType === 'EXACT_INPUT' ? deposited : paidOut
    const order: Order = {
      ...plain,
      user: account('1'),
      refundTo: account('1'),
      recipient: account('2'),
      origin: deposit,
      destination: payout,
      amount: toAmount((thousandths * 10n ** BigInt(amountDecimals)) / 1000n + 1n),
      tradeType,
      slippageTolerance: toBps(given.slippage),
      appFees: given.appFees.map((fee) => ({ recipient: account('7'), fee: toBps(fee) })),
      ...(fixedRate !== undefined && { fixedRate: toBps(fixedRate) }),
      ...(given.isSponsored && { sponsorship: {} }),
    }
    const price = quoted(order, at(destination.gas))
    if (price === undefined) return
    const request = requestOf(price)
    const amount = toAmount((inputOf(request).depositAmount * share) / 1000n)
    const { record, ...plainly } = depositFor(request, { amount })
    const paid = given.isPlain || record === undefined ? plainly : { ...plainly, record }
    const usual = evmGas(destination.gas)
    const gas = { ...usual, baseFeePerGas: (usual.baseFeePerGas * given.gasTenths) / 10n }
    const plan = planFill({ ...fillCaseOf(request, [paid], at(gas)), currencyOf: () => payout })
    if (plan.kind !== 'fill') return
    fills += 1
    const paidIn = { market: origin, currency: deposit }
    const settlement = settlementCost({ market: origin, deposit }, order, paidIn)
    const received = payoutOf(filledDepositOf(paid, { request })) - settlement
    // In 10^-30 dollars. Ether costs 3,000 dollars.
    const lost =
      plan.leg.amountIn * 10n ** BigInt(30 - paidOut) +
      (plan.gas * gasPriceOf(gas) + (given.isPlain ? plainWei : 0n)) * 3000n * 10n ** 12n -
      received * 10n ** BigInt(30 - deposited) -
      request.subsidizedUsd * 10n ** 24n
    expect(lost).toBeLessThanOrEqual(0n)
  })
  fc.assert(covered, { numRuns: runs(4000, 1000) })
  expect(fills).toBeGreaterThan(100)
})

function quoted(order: Order, current: Market) {
  try {
    return priceSwap(order, current)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
