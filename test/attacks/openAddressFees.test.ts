import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { toBps } from '#src/core/units/bps.ts'
import { type AddressPayments, createAddressPayments } from '#test/support/rigs/addressPayments.ts'
import {
  ethereum,
  type Place,
  patience,
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
  rig.solve(ethereum)
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const usdc: Place = [ethereum, 'USDC']
const units = (whole: bigint): bigint => whole * 1_000_000n

it('settles payments to an open address with app fees (900 USDC filled, and lost to an exit)', async () => {
  const [app, other] = [newAccount(), newAccount()]
  const appFees = [
    { recipient: app, fee: toBps(1n) },
    { recipient: other, fee: toBps(30n) },
  ]
  const quoted = await pays.quote(usdc, units(1_000n), { isOpen: true, appFees })
  const held = (holder: string) => rig.balanceOf(rig.currencyOf(usdc), holder)
  const before = await held(rig.solverAddress)
  const paid = [units(900n), units(2_345n) + 678_901n]
  for (const [at, amount] of paid.entries()) {
    await pays.pay(usdc, quoted.address, amount)
    const payment = (await pays.payments(quoted, at + 1)).at(-1)
    expect((await rig.outcome(payment?.requestId ?? '')).state.status).toBe('success')
  }
  await rig.passSettlement(ethereum)
  const children = (await pays.payments(quoted, 2)).map(({ requestId }) => requestId)
  await vi.waitFor(async () => {
    const deposits = await rig.store.depositsOfAll(children)
    expect(deposits.map(({ status }) => status)).toEqual(['settled', 'settled'])
  }, patience)
  const total = paid.reduce((sum, each) => sum + each, 0n)
  const [ofApp, ofOther] = [await held(app), await held(other)]
  // Each fee is rounded down, once for each payment.
  expect(total / 10_000n - ofApp).toBeLessThanOrEqual(2n)
  expect((total * 30n) / 10_000n - ofOther).toBeLessThanOrEqual(2n)
  expect((await held(rig.solverAddress)) - before).toBe(total - ofApp - ofOther)
  expect(await held(rig.contractsOn(ethereum).depository)).toBe(0n)
})
