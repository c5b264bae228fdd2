import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import {
  account,
  currencyOf,
  destinationChain,
  market,
  originChain,
} from '#test/support/fixtures/markets.ts'
import { anyOrders, attempt, essence, example } from '#test/support/orders/orders.ts'
import { runs } from '#test/support/runs.ts'
import { appFeeShares } from './relayFees.ts'

const to = account('3')

describe('sponsorship', () => {
  it('gives the user the output of an order without fees', () => {
    const { gas } = market.chains.get(destinationChain) ?? {}
    if (gas === undefined) throw new Error('No such chain')
    const noGas = { ...gas, baseFeePerGas: 0n, priorityFeePerGas: 0n }
    const chains = new Map([...market.chains].map(([id, chain]) => [id, { ...chain, gas: noGas }]))
    const free: Market = {
      ...market,
      chains,
      feeSchedule: { ...market.feeSchedule, flat: toUsd(0n) },
    }
    fc.assert(
      fc.property(anyOrders, (anyOrder) => {
        const { fixedRate, topup, ...order } = anyOrder
        // No swap where gas is free, because its route would depend on the gas price.
        const destination = currencyOf(destinationChain, 'USDC')
        const sameAsset = { ...order, destination, txs: [] }
        const price = attempt({ ...sameAsset, fixedRate: toBps(0n), sponsorship: {} })
        const same = attempt({ ...sameAsset, fixedRate: toBps(0n) }, free)
        if (price instanceof AppError || same instanceof AppError) return
        if ([price.origin, price.destination, same.destination].some(({ route }) => route)) return
        if (price.execution === 'user' || order.origin.chainId !== originChain) return
        expect(price.currencyIn).toEqual(same.currencyIn)
        expect(price.currencyOut).toEqual(same.currencyOut)
        expect(price.fees.app).toEqual(same.fees.app)
      }),
      { numRuns: runs(1_000) },
    )
  })

  it('does not apply if the fees exceed its limit by a millionth', () => {
    const sponsored = attempt({ ...example(), sponsorship: {} })
    if (sponsored instanceof AppError) throw sponsored
    const worth = sponsored.fees.relayer.usd ?? 0n
    const within = attempt({ ...example(), sponsorship: { maxUsd: toUsd(worth) } })
    const beyond = attempt({ ...example(), sponsorship: { maxUsd: toUsd(worth - 1n) } })
    expect(essence(within)).toEqual(essence(sponsored))
    expect(essence(beyond)).toEqual(essence(attempt(example())))
    expect(sponsored.currencyOut.amount).toBe(sponsored.currencyIn.amount)
  })
})

describe('appFeeShares', () => {
  const fees = fc.array(
    fc.bigInt(0n, 600n).map((fee) => ({ recipient: to, fee: toBps(fee) })),
    { maxLength: 16 },
  )

  it('splits the total, and no share is below its value rounded down', () => {
    fc.assert(
      fc.property(fees, fc.bigInt(1n, 10n ** 30n), (fees, input) => {
        const bps = fees.reduce((sum, { fee }) => sum + fee, 0n)
        const total = toAmount((input * bps + 9_999n) / 10_000n)
        const shares = appFeeShares(fees, total)
        expect(shares.reduce((sum, { amount }) => sum + amount, 0n)).toBe(total)
        shares.forEach(({ recipient, amount }, at) => {
          expect(recipient).toBe(to)
          expect(amount).toBeGreaterThanOrEqual((input * (fees[at]?.fee ?? 0n)) / 10_000n)
        })
      }),
    )
  })
})
