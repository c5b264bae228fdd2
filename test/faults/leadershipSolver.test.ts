import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { LeaseLostError } from '#src/requests/lease.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig()
  rig.track()
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

it('a leader that loses its lease after it has stored a fill does not send it; the next leader does', async () => {
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    amount: 10n ** 17n,
    recipient: newAccount(),
    refundTo: newAccount(),
    disableOriginSwaps: true,
  })
  const fills = async () =>
    (await rig.store.transactionsOf(quoted.requestId)).filter(({ purpose }) => purpose === 'fill')
  const paid = () => rig.balanceOf(rig.currencyOf([rollup, 'ETH']), quoted.recipient)

  let confirmations = 0
  const confirm = async () => {
    confirmations += 1
    throw new LeaseLostError('solver')
  }
  const first = solve(rollup, { lease: { confirm } })
  await rig.deposit(quoted)
  // It has stored the fill, and has confirmed its lease again before each attempt to send it.
  await vi.waitUntil(async () => (await fills()).length === 1 && confirmations > 1, patience)
  await rig.mine(rollup, 2)
  expect(await paid()).toBe(0n)
  expect(await fills()).toMatchObject([{ status: 'sent', attempts: [{}] }])
  const [stored] = await fills()
  await first.stop()

  solve(rollup)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  expect(await paid()).toBe(quoted.amountOut)
  const attempts = (await fills()).flatMap((each) => each.attempts.map(({ hash }) => hash))
  expect(attempts).toEqual(stored?.attempts.map(({ hash }) => hash))
})
