import { afterAll, beforeAll, expect, it } from 'vitest'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let pays: AddressPayments
beforeAll(async () => {
  rig = await startBridgingRig()
  pays = createAddressPayments(rig)
  rig.track()
  for (const chainId of [ethereum, rollup]) rig.solve(chainId)
})
afterAll(() => rig.stop())

const usdc: Place = [ethereum, 'USDC']
const hundred = 100_000_000n

it('each payment to an open address pays its app fees', async () => {
  const appFees = [{ recipient: newAccount(), fee: toBps(1_000n) }]
  const quoted = await pays.quote(usdc, hundred, { isOpen: true, appFees })
  const free = await pays.quote(usdc, hundred, { isOpen: true })
  for (const { address } of [quoted, free]) await pays.pay(usdc, address, 2n * hundred)
  const [one, other] = await Promise.all(
    [quoted, free].map(async (each) => {
      const [payment] = await pays.payments(each, 1)
      const { state } = await rig.outcome(payment?.requestId ?? '')
      expect(state.status).toBe('success')
      return { paidOut: await pays.paidOut(each), fees: payment?.summary?.appFees }
    }),
  )
  expect(one?.fees).toMatchObject([{ amount: hundred / 5n, recipient: appFees[0]?.recipient }])
  expect(other?.fees).toEqual([])
  const less = (other?.paidOut ?? 0n) - (one?.paidOut ?? 0n)
  expect(less).toBeGreaterThan((hundred * 18n) / 100n)
})

it('the sponsor of an open address pays the fees of its payments, up to the sponsor’s limit', async () => {
  const amount = 2n * hundred
  const { amountOut } = await pays.quote(usdc, amount)
  // Enough for one payment. USDC has the decimals of USD.
  const maxUsd = toUsd(((amount - amountOut) * 3n) / 2n)
  const quoted = await pays.quote(usdc, amount, { isOpen: true, sponsorship: { maxUsd } })
  const outcomeOf = async (count: number) => {
    await pays.pay(usdc, quoted.address, amount)
    const payment = (await pays.payments(quoted, count)).at(-1)
    const { state, subsidizedUsd } = await rig.outcome(payment?.requestId ?? '')
    expect(state.status).toBe('success')
    return { subsidizedUsd, paidOut: await pays.paidOut(quoted) }
  }
  const first = await outcomeOf(1)
  expect(first.paidOut).toBe(amount)
  expect(first.subsidizedUsd).toBeGreaterThan(0n)
  expect(first.subsidizedUsd).toBeLessThanOrEqual(maxUsd)
  const second = await outcomeOf(2)
  expect(second.paidOut).toBeLessThan(2n * amount)
  expect(second.subsidizedUsd).toBe(0n)
})
