import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { Log } from '#src/config/log.ts'
import { users } from '#src/devnet/accounts.ts'
import { approvalProxy as approvalProxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
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

const { abi } = approvalProxyArtifact
/** The account of the rig's wallet. */
const identity = users[0].address

/** The identity registers or dismisses the solver's account. */
const setKey = (isAllowed: boolean) =>
  rig.wallet.call(rollup, {
    to: rig.contractsOn(rollup).approvalProxy,
    data: encodeFunctionData({
      abi,
      functionName: 'setKey',
      args: [rig.solverAddress as `0x${string}`, isAllowed],
    }),
  })

/** Quotes for 0.1 ETH to an account of its own, and pays. */
async function paid(referrer?: string) {
  const order = { amount: 10n ** 17n, recipient: newAccount(), disableOriginSwaps: true }
  const quoted = await rig.quote([ethereum, 'ETH'], [rollup, 'ETH'], {
    ...order,
    ...(referrer !== undefined && { referrer }),
  })
  await rig.deposit(quoted)
  return quoted.requestId
}

/** Keeps the messages of all errors. */
function keepingLog() {
  const errors: string[] = []
  const log: Log = {
    ...rig.log,
    error: (_: unknown, message = '') => void errors.push(message),
  }
  return { log, errors }
}

it('fills nothing while the account is not a key of its identity, but still refunds', async () => {
  const { log, errors } = keepingLog()
  const solver = solve(rollup, { identity, log })
  solve(ethereum, { identity })
  await vi.waitUntil(() => solver.status().isKeyOfIdentity === false, patience)
  const waiting = await paid()
  const refused = await paid('debug-force-refund')
  expect((await rig.outcome(refused)).state.status).toBe('refund')
  await vi.waitUntil(async () => (await rig.find(waiting)).state.status === 'pending', patience)
  const { block = 0n } = solver.status()
  await rig.mine(rollup, 3)
  await vi.waitUntil(() => (solver.status().block ?? 0n) > block + 2n, patience)
  expect(await rig.store.transactionsOf(waiting)).toEqual([])
  expect(errors).toEqual([expect.stringContaining('setKey(account, true)')])

  await setKey(true)
  expect((await rig.outcome(waiting)).state.status).toBe('success')
  expect(solver.status().isKeyOfIdentity).toBe(true)
  const { orderId } = await rig.find(waiting)
  const address = rig.contractsOn(rollup).approvalProxy
  const args = [identity, orderId] as const
  const client = rig.wallet.clientOn(rollup)
  expect(await client.readContract({ address, abi, functionName: 'filled', args })).toBe(true)
})

it('notices that its identity has dismissed the account', async () => {
  await setKey(true)
  const { log, errors } = keepingLog()
  const solver = solve(rollup, { identity, log })
  await vi.waitUntil(() => solver.status().isKeyOfIdentity === true, patience)
  await setKey(false)
  const requestId = await paid()
  await vi.waitUntil(() => solver.status().isKeyOfIdentity === false, patience)
  expect(errors.filter((each) => each.includes('setKey'))).toHaveLength(1)
  expect((await rig.find(requestId)).state.status).toBe('pending')
  await setKey(true)
  expect((await rig.outcome(requestId)).state.status).toBe('success')
})
