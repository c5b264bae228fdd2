import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { toBps } from '#src/core/units/bps.ts'
import { noHistory } from '#src/market/marketHistory.ts'
import { paymentIdsOf } from '#src/protocol/calls/depositAddress.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { createFillChecks } from '#src/solver/fills/fillChecks.ts'
import type { Requote } from '#src/solver/payments/openPayments.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

let rig: SolverRig
let pays: AddressPayments
beforeAll(async () => {
  rig = await startBridgingRig()
  pays = createAddressPayments(rig)
  rig.track()
})
afterAll(() => rig.stop())
const solve = useSolvers(() => rig)

type Quoted = Awaited<ReturnType<AddressPayments['quote']>>

const units = (whole: bigint, decimals: number): bigint => whole * 10n ** BigInt(decimals)
const ether: Place = [ethereum, 'ETH']
const usdc: Place = [ethereum, 'USDC']
const hundred = units(100n, 6)

const open = (from: Place, amount: bigint, options = {}) =>
  pays.quote(from, amount, { isOpen: true, ...options })

const checks = () =>
  createFillChecks(
    {
      store: rig.store,
      log: rig.log,
      now: Date.now,
      clients: new Map(rig.config.chains.map(({ id }) => [id, rig.clientOn(id)])),
    },
    rig.config.chains,
    { account: rig.solverAddress, identity: rig.solverAddress },
  )

/** The outcome of the payment with this number, from 1. */
async function ended(quoted: Quoted, number: number) {
  const payment = (await pays.payments(quoted, number)).at(-1)
  return rig.outcome(payment?.requestId ?? '')
}

/** Each payment is filled or refunded once, and the recipient has what was quoted for them at arrival, and no more. */
async function addsUp(quoted: Quoted, count: number): Promise<void> {
  const payments = await pays.payments(quoted, count)
  const filled = payments.filter(({ state }) => state.status === 'success')
  const promised = filled.reduce((sum, { amountOut }) => sum + amountOut, 0n)
  expect(await pays.paidOut(quoted)).toBe(promised)
  const deposits = await rig.store.depositsOfAll(payments.map(({ requestId }) => requestId))
  expect(deposits).toHaveLength(count)
  const spent = deposits.map(({ status }) => (status === 'settled' ? 'filled' : status))
  expect(spent.filter((status) => status === 'filled')).toHaveLength(filled.length)
  expect(spent.filter((status) => status === 'refunded')).toHaveLength(count - filled.length)
  expect(await rig.store.depositsOf(quoted.requestId)).toEqual([])
  const { state } = await rig.find(quoted.requestId)
  const newest = payments.map(({ requestId }) => requestId)
  expect(state).toMatchObject({ status: 'waiting', inTxHashes: [], txHashes: [] })
  expect(newest).toContain(state.supersededBy)
}

it.each<[string, Place, bigint]>([
  ['native', ether, units(1n, 17)],
  ['ERC-20', usdc, hundred],
])(
  '%s: payments of, below and above the quoted amount are each quoted at arrival, and filled',
  async (_, from, amount) => {
    solve(ethereum)
    solve(rollup)
    const quoted = await open(from, amount)
    expect(quoted.depositor).toBe(quoted.refundTo)
    for (const [at, paid] of [amount, amount / 2n, 3n * amount].entries()) {
      await pays.pay(from, quoted.address, paid)
      const { state, ...payment } = await ended(quoted, at + 1)
      expect(state).toMatchObject({ status: 'success', inputStates: [{ status: 'funded' }] })
      expect(payment).toMatchObject({ amountIn: paid, parentId: quoted.requestId })
      expect((await rig.find(quoted.requestId)).state.supersededBy).toBe(payment.requestId)
    }
    await addsUp(quoted, 3)
  },
)

it('two payments before one sweep count as one, and a contract pays without a log', async () => {
  solve(rollup)
  const amount = units(1n, 17)
  const quoted = await open(ether, amount)
  await pays.internally(quoted.address, amount)
  await pays.pay(ether, quoted.address, amount / 2n)
  solve(ethereum)
  expect(await ended(quoted, 1)).toMatchObject({
    amountIn: (3n * amount) / 2n,
    state: { status: 'success' },
  })
  await addsUp(quoted, 1)
})

it('two payments in a row, before the first is filled, count as two', async () => {
  solve(ethereum)
  const quoted = await open(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred)
  await pays.payments(quoted, 1)
  await pays.pay(usdc, quoted.address, 2n * hundred)
  const payments = await pays.payments(quoted, 2)
  solve(rollup)
  for (const { requestId } of payments)
    expect((await rig.outcome(requestId)).state.status).toBe('success')
  await addsUp(quoted, 2)
})

it('dust is not swept before more has come: it would cost the solver more than it brings', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await open(usdc, hundred)
  await pays.pay(usdc, quoted.address, units(2n, 6))
  await pays.passTopUp()
  const other = await open(usdc, hundred)
  await pays.pay(usdc, other.address, hundred)
  await ended(other, 1)
  expect(await pays.sweepsOf(quoted)).toEqual([])
  await pays.pay(usdc, quoted.address, hundred)
  expect((await ended(quoted, 1)).amountIn).toBe(hundred + units(2n, 6))
  await addsUp(quoted, 1)
})

it('another currency is refunded at once on request, less the gas of its sweep and refund', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await open(usdc, hundred)
  const amount = units(1n, 17)
  await pays.pay(ether, quoted.address, amount)
  await rig.store.addSweepHint({ chainId: ethereum, requestId: quoted.requestId })
  expect(await ended(quoted, 1)).toMatchObject({
    amountOut: 0n,
    state: { status: 'refund', failReason: 'INCORRECT_DEPOSIT_CURRENCY' },
  })
  const back = await pays.refunded(quoted, ether)
  expect(back).toBeLessThan(amount)
  expect(back).toBeGreaterThan((amount * 9n) / 10n)
  // The address still takes payments.
  await pays.pay(usdc, quoted.address, hundred)
  expect((await ended(quoted, 2)).state.status).toBe('success')
  await addsUp(quoted, 2)
})

/** A solver's `requote` that refuses as long as the function says so. */
const refusing = (refuses: () => AppError | undefined): Requote => {
  const requote = createRequote({ ...rig, history: noHistory })
  return async (...args) => {
    const error = refuses()
    if (error !== undefined) throw error
    return requote(...args)
  }
}

it('a payment that has no price waits for ten minutes, and is then refunded less the gas of its sweep', async () => {
  let asked = 0
  const tooHigh = new AppError('SWAP_IMPACT_TOO_HIGH', 'The pool was moved.')
  const moved = solve(ethereum, {
    requote: refusing(() => {
      asked += 1
      return tooHigh
    }),
  })
  solve(rollup)
  const [quoted, patient] = [await open(usdc, hundred), await open(usdc, hundred)]
  await pays.pay(usdc, quoted.address, hundred)
  await vi.waitUntil(() => asked > 2, patience)
  expect((await pays.payments(quoted, 0)).length).toBe(0)
  await pays.passTopUp()
  await rig.mine(ethereum, 2)
  expect((await ended(quoted, 1)).state).toMatchObject({ status: 'refund', failReason: 'SLIPPAGE' })
  const back = await pays.refunded(quoted, usdc)
  // About 6.5 at the usual base fee. The base fee differs from it by a tenth. The refund alone costs half of it.
  expect(back).toBeLessThan(hundred - units(5n, 6))
  expect(back).toBeGreaterThan(hundred - units(12n, 6))
  await addsUp(quoted, 1)
  const before = asked
  await pays.pay(usdc, patient.address, hundred)
  await vi.waitUntil(() => asked > before, patience)
  await moved.stop()
  // The price is back in time.
  solve(ethereum)
  expect((await ended(patient, 1)).state.status).toBe('success')
  await addsUp(patient, 1)
})

it('after a crash before or after the quote is stored, the next leader fills the same request once', async () => {
  const quoted = await open(usdc, hundred)
  let isKilled = false
  const save: RequestStore['save'] = async (batch) => {
    if ((batch.created ?? []).length === 0) return rig.store.save(batch)
    isKilled = true
    throw new Error('killed')
  }
  const first = solve(ethereum, { store: { ...rig.store, save } })
  await pays.pay(usdc, quoted.address, hundred)
  await vi.waitUntil(() => isKilled, patience)
  await first.stop()
  expect(await pays.payments(quoted, 0)).toEqual([])
  const second = solve(ethereum)
  const [bound] = await pays.payments(quoted, 1)
  await second.stop()
  const [deposit] = await rig.store.depositsOf(bound?.requestId ?? '')
  expect(deposit).toMatchObject({ status: 'credited', orderId: quoted.orderId })
  expect(paymentIdsOf(quoted, deposit?.depositId ?? '')).toEqual({
    requestId: bound?.requestId,
    orderId: bound?.orderId,
  })
  // The stored minimum applies, even if the price has changed when the fill is sent.
  solve(ethereum, { requote: () => expect.unreachable('quoted twice') })
  solve(rollup)
  expect(await ended(quoted, 1)).toMatchObject({ minimumAmountOut: bound?.minimumAmountOut })
  await addsUp(quoted, 1)
})

it('a sweep that a reorg removes after the quote keeps its request, and is filled once', async () => {
  solve(ethereum)
  const quoted = await open(usdc, hundred)
  await pays.pay(usdc, quoted.address, hundred)
  const [bound] = await pays.payments(quoted, 1)
  const [deposit] = await rig.store.depositsOf(bound?.requestId ?? '')
  await rig.reorg(ethereum, deposit?.block?.number ?? 0n)
  solve(rollup)
  expect((await ended(quoted, 1)).requestId).toBe(bound?.requestId)
  await addsUp(quoted, 1)
})

it('a payment that a reorg removes is not filled, and the next one gets its own quote', async () => {
  solve(ethereum)
  const quoted = await open(usdc, hundred)
  const { blockNumber } = await pays.pay(usdc, quoted.address, hundred)
  const [gone] = await pays.payments(quoted, 1)
  await rig.reorg(ethereum, blockNumber)
  await vi.waitUntil(
    async () => (await rig.find(gone?.requestId ?? '')).state.status === 'waiting',
    patience,
  )
  expect(await rig.store.depositsOf(gone?.requestId ?? '')).toEqual([])
  solve(rollup)
  await pays.pay(usdc, quoted.address, 2n * hundred)
  const payment = await ended(quoted, 2)
  expect(payment).toMatchObject({ amountIn: 2n * hundred, state: { status: 'success' } })
  expect(await pays.paidOut(quoted)).toBe(payment.amountOut)
  // The same payment again: it has its request already, with the terms of its first quote.
  await pays.pay(usdc, quoted.address, hundred)
  const { state } = await rig.outcome(gone?.requestId ?? '')
  expect(state.status).toBe('success')
  await addsUp(quoted, 2)
})

it('a deposit for the order of a payment is refunded to its depositor, and pays for nothing', async () => {
  solve(ethereum)
  solve(rollup)
  const quoted = await open(ether, units(1n, 17))
  await pays.pay(ether, quoted.address, units(1n, 17))
  const payment = await ended(quoted, 1)
  // A database that has lost the payment still finds that it is filled, and refunds nothing.
  const [paid] = await rig.store.depositsOf(payment.requestId)
  if (paid === undefined) throw new Error('No deposit')
  for (const known of [undefined, payment])
    expect(await checks().verdict(paid, known)).toBe('filled')
  await pays.depositFor(payment.orderId, units(1n, 17))
  await pays.ends(payment, [
    ['filled', undefined],
    ['refunded', 'DOUBLE_SPEND'],
  ])
  expect(await pays.refunded(quoted, ether)).toBe(0n)
  expect(await pays.paidOut(quoted)).toBe(payment.amountOut)
})

it('after the deadline a payment is refunded, or is quoted and filled if it has a tolerance', async () => {
  const quoted = await open(usdc, hundred)
  const tolerant = await open(usdc, hundred, { latePaymentBps: toBps(2_000n) })
  await rig.mineAt(ethereum, BigInt(quoted.deadline) + 10n, 1)
  const now = () => (quoted.deadline + 60) * 1000
  solve(ethereum, { now })
  solve(rollup, { now })
  await pays.pay(usdc, quoted.address, hundred)
  await pays.pay(usdc, tolerant.address, hundred)
  const { state } = await ended(quoted, 1)
  expect(state).toMatchObject({ status: 'refund', failReason: 'ORDER_EXPIRED' })
  expect(await pays.refunded(quoted, usdc)).toBeGreaterThan(units(88n, 6))
  expect((await ended(tolerant, 1)).state.status).toBe('success')
  for (const each of [quoted, tolerant]) await addsUp(each, 1)
})
