import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Log } from '#src/config/log.ts'
import { users } from '#src/devnet/accounts.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
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

const day = 86_400

/** Keeps the facts of the errors about deposits that can soon be taken back. */
function keepingLog() {
  const alarms: unknown[] = []
  const log: Log = {
    ...rig.log,
    error: (facts: unknown, message = '') => {
      if (message.includes('can soon take them back')) alarms.push(facts)
    },
  }
  return { log, alarms }
}

it('raises the alarm three days before an unsettled deposit can exit, also if the solver is not the allocator', async () => {
  const order = { amount: 10n ** 17n, recipient: newAccount(), disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], order)
  await rig.deposit(quoted)
  solve(rollup)
  expect((await rig.outcome(quoted.requestId)).state.status).toBe('success')
  const [deposit] = await rig.store.depositsOf(quoted.requestId)
  const exitTime = deposit?.record?.exitTime ?? 0

  const { log, alarms } = keepingLog()
  const allocator = privateKeyToAccount(users[1].privateKey)
  let reads = 0
  const store: RequestStore = {
    ...rig.store,
    nearExit: (...args) => {
      reads += 1
      return rig.store.nearExit(...args)
    },
  }
  const readsPass = async () => {
    const before = reads
    await vi.waitUntil(() => reads > before + 3, patience)
  }
  const blocked = solve(ethereum, { allocator, log, store })
  await vi.waitUntil(() => blocked.status().nearExit === 0, patience)
  await rig.mineAt(ethereum, BigInt(exitTime - 3 * day - 3600), 1)
  await readsPass()
  expect([blocked.status().nearExit, alarms]).toEqual([0, []])
  await rig.mineAt(ethereum, BigInt(exitTime - 3 * day + 1), 1)
  await vi.waitUntil(() => blocked.status().nearExit === 1, patience)
  await readsPass()
  expect(alarms).toEqual([{ chainId: ethereum, count: 1, deposits: [deposit?.depositId] }])
  await blocked.stop()

  const settling = solve(ethereum)
  await rig.passSettlement(ethereum)
  await vi.waitUntil(() => settling.status().nearExit === 0, patience)
  expect(await rig.store.depositsOf(quoted.requestId)).toMatchObject([{ status: 'settled' }])
})
