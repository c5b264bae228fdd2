import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { readSigner } from '#src/config/keys/readSigner.ts'
import { solver as solverKey } from '#src/devnet/accounts.ts'
import { startWeb3Signer } from '#test/support/clients/web3Signer.ts'
import {
  bnb,
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let rig: SolverRig
let web3Signer: Awaited<ReturnType<typeof startWeb3Signer>>
beforeAll(async () => {
  ;[rig, web3Signer] = await Promise.all([
    startBridgingRig({ fillConfirmations: 1 }, { chainIds: [ethereum, rollup, bnb] }),
    startWeb3Signer([solverKey]),
  ])
  rig.track()
})
afterAll(async () => {
  await rig.stop()
  await web3Signer.stop()
})

const openSigner = () =>
  readSigner('solver', { kind: 'remoteSigner', url: web3Signer.url }, rig.solverAddress)

const quoteTo = async (chainId: typeof rollup, change: { referrer?: string } = {}) => {
  const recipient = newAccount()
  const quoted = await rig.quote([ethereum, 'ETH'], [chainId, 'ETH'], {
    amount: 10n ** 17n,
    recipient,
    refundTo: recipient,
    disableOriginSwaps: true,
    ...change,
  })
  return { ...quoted, recipient }
}

it('delays fills while the remote signer does not sign, and pays each once when it does', async () => {
  const solver = rig.solve(rollup, { account: await openSigner() })
  web3Signer.fail(() => ({ status: 503, text: '' }))
  const quoted = await quoteTo(rollup)
  await rig.deposit(quoted)
  await vi.waitFor(() => expect(solver.status().signerFailures).toBeGreaterThan(1), patience)
  expect((await rig.find(quoted.requestId)).state.status).toBe('pending')
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
  web3Signer.fail(undefined)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'success', txHashes: [expect.any(String)] })
  expect(solver.status().signerFailures).toBe(0)
  const [fill, ...others] = await rig.store.transactionsOf(quoted.requestId)
  expect(others).toEqual([])
  const received = await rig.balanceOf(rig.currencyOf([rollup, 'ETH']), quoted.recipient)
  expect(received).toBe(fill?.spends[0]?.amount)
})

it('continues to fill while the allocator’s signer is unavailable, and refunds once it is available', async () => {
  const allocator = await openSigner()
  const solver = rig.solve(ethereum, { allocator })
  const filling = rig.solve(bnb, { allocator })
  web3Signer.fail(() => ({ status: 500, text: 'vault sealed' }))
  const refused = await quoteTo(bnb, { referrer: 'debug-force-refund' })
  const filled = await quoteTo(bnb)
  await rig.depositAll([refused, filled])
  expect((await rig.outcome(filled.requestId)).state.status).toBe('success')
  await vi.waitFor(() => expect(solver.status().signerFailures).toBeGreaterThan(1), patience)
  expect(filling.status().signerFailures).toBe(0)
  expect(await rig.store.depositsOf(refused.requestId)).toMatchObject([{ status: 'refundable' }])
  web3Signer.fail(undefined)
  expect((await rig.outcome(refused.requestId)).state.status).toBe('refund')
  const [refund, ...others] = await rig.store.transactionsOf(refused.requestId)
  expect(others).toEqual([])
  const received = await rig.balanceOf(rig.currencyOf([ethereum, 'ETH']), refused.recipient)
  expect(received).toBe(refund?.spends[0]?.amount)
})
