import { encodeFunctionData, type Hex, parseSignature } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { permitCurrency } from '#src/devnet/artifacts/permitCurrency.ts'
import { lastSecondOf } from '#src/execution/permits/permit.ts'
import { permitsIn, type QuotedPermits } from '#src/execution/permits/signedCall.ts'
import { typedDataOf, witnessHash } from '#src/execution/permits/typedData.ts'
import { executePermit } from '#src/operations/permits/executePermit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { newAccount } from '#test/support/chains/newAccount.ts'
import {
  ethereum,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'

/** Blocks until one is final, and two more. */
const untilFinal = 67

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig({ depositConfirmations: 2 })
  rig.track()
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const account = privateKeyToAccount(users[0].privateKey)

/** A request whose user has signed. */
async function signed(): Promise<Readonly<{ request: SolverRequest; quoted: QuotedPermits }>> {
  const { requestId, steps } = await rig.quote([ethereum, 'USDC'], [rollup, 'USDC'], {
    amount: 50_000_000n,
    recipient: newAccount(),
    permit: { kind: 'eip3009' },
  })
  const quoted = permitsIn(steps)
  if (quoted === undefined) throw new Error('The quote asks for no signature')
  const { value: message, ...data } = typedDataOf(quoted.paying)
  const signature = await account.signTypedData({ ...data, message } as never)
  const deps = { requests: rig.store, market: rig.market, now: Date.now }
  await executePermit(deps, { requestId, kind: 'eip3009', signature })
  return { request: await rig.find(requestId), quoted }
}

const stateOf = async ({ requestId }: Pick<SolverRequest, 'requestId'>) =>
  (await rig.find(requestId)).state

const reaches = (request: SolverRequest, status: string) =>
  vi.waitUntil(async () => (await stateOf(request)).status === status, patience)

/** Waits until the solver has looked at the permit once more. */
async function looked({ requestId }: SolverRequest): Promise<void> {
  const versionOf = async () => (await rig.store.findPermit(requestId))?.version ?? 0
  const before = await versionOf()
  await vi.waitUntil(async () => (await versionOf()) > before, { ...patience, interval: 100 })
}

it('a reorg that undoes the deposit leads back to depositing, and the transaction is sent again', async () => {
  const { request } = await signed()
  expect(request.state).toMatchObject({ status: 'depositing', steps: [[{ status: 'signed' }]] })
  solve(ethereum)
  await vi.waitUntil(async () => (await stateOf(request)).inTxHashes.length > 0, patience)
  const [hash] = (await stateOf(request)).inTxHashes
  const anvil = rig.wallet.clientOn(ethereum)
  const { blockNumber } = await anvil.getTransactionReceipt({ hash: hash as Hex })
  await rig.reorg(ethereum, blockNumber)
  const { state } = await rig.outcome(request.requestId)
  expect(state).toMatchObject({ status: 'success', inTxHashes: [hash] })
  const deposits = await rig.store.depositsOf(request.requestId)
  expect(deposits.map(({ amount, status }) => [amount, status])).toEqual([
    [50_000_000n, expect.stringMatching(/filled|settl/)],
  ])
})

it('a cancelled signature ends the request once the cancellation is final', async () => {
  const { request, quoted } = await signed()
  const { paying } = quoted
  if (paying.kind !== 'eip3009') throw new Error('The quote asks for another kind')
  const nonce = witnessHash(paying.run)
  const signature = await account.signTypedData({
    domain: { ...paying.domain, chainId: ethereum, verifyingContract: paying.currency },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: account.address, nonce },
  })
  const { r, s, yParity } = parseSignature(signature)
  const data = encodeFunctionData({
    abi: permitCurrency.abi,
    functionName: 'cancelAuthorization',
    args: [account.address, nonce, 27 + yParity, r, s],
  })
  await rig.wallet.call(ethereum, { to: paying.currency, data })
  solve(ethereum)
  await looked(request)
  expect((await stateOf(request)).status).toBe('depositing')
  await rig.mine(ethereum, untilFinal)
  await reaches(request, 'failure')
  expect(await stateOf(request)).toMatchObject({ failReason: 'INVALID_NONCE', inTxHashes: [] })
})

it('a signature that was never sent ends the request once its end is final, and not before', async () => {
  const { request, quoted } = await signed()
  const end = lastSecondOf(quoted.paying)
  const aheadMs = (end + 1) * 1000 - Date.now()
  solve(ethereum, { now: () => Date.now() + aheadMs })
  await looked(request)
  expect((await stateOf(request)).status).toBe('depositing')
  await rig.mineAt(ethereum, BigInt(end + 1), untilFinal)
  await reaches(request, 'failure')
  expect(await stateOf(request)).toMatchObject({
    ...{ failReason: 'SIGNATURE_EXPIRED', inTxHashes: [] },
    fill: { status: 'skipped' },
  })
  expect(await rig.store.transactionsOf(request.requestId)).toEqual([])
})
