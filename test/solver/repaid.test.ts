import { type Hex, keccak256, parseTransaction } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { evmHash } from '#src/core/units/txId.ts'
import { users } from '#src/devnet/accounts.ts'
import { transactionOf } from '#src/requests/state/requestState.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import { actBeforeCall } from '#test/support/nodes/actBeforeCall.ts'
import { inputOf } from '#test/support/orders/fillCase.ts'
import { makeFinal } from '#test/support/rigs/makeFinal.ts'
import { createMultiInputRig } from '#test/support/rigs/multiInputRig.ts'
import {
  bnb,
  ethereum,
  type Place,
  patience,
  rollup,
  type SolverRig,
  startBridgingRig,
} from '#test/support/rigs/solverRig.ts'
import { useSolvers } from '#test/support/rigs/useSolvers.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const confirmations = 4

let rig: SolverRig
beforeAll(async () => {
  rig = await startBridgingRig(
    { fillConfirmations: confirmations },
    { chainIds: [ethereum, rollup, bnb] },
  )
  rig.track()
  rig.solve(rollup)
})
afterAll(() => rig.stop())

const solve = useSolvers(() => rig)

const place: Place = [ethereum, 'ETH']

const quoteOf = (): Promise<SolverRequest> =>
  rig.quote(place, [rollup, 'ETH'], {
    amount: 10n ** 17n,
    refundTo: newAccount(),
    disableOriginSwaps: true,
    referrer: 'debug-force-refund',
  })

/** Submits this depository call from another account, and returns the transaction hash once it is mined. */
async function submitElsewhere(data: Hex): Promise<Hex> {
  const anvil = rig.wallet.clientOn(ethereum)
  const account = privateKeyToAccount(users[1].privateKey)
  const { baseFeePerGas } = await anvil.getBlock()
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: ethereum,
    gas: 500_000n,
    data,
    to: rig.contractsOn(ethereum).depository,
    nonce: await anvil.getTransactionCount({ address: account.address }),
    maxFeePerGas: 2n * (baseFeePerGas ?? 0n) + 10n ** 9n,
    maxPriorityFeePerGas: 10n ** 9n,
  })
  const [receipt] = await sendUntilMined(anvil, [raw])
  expect(receipt?.status).toBe('success')
  return keccak256(raw)
}

/** Waits for the refund of `quoted`. Returns the refund's transaction hash and the balance of the refund address. */
async function refundOf(quoted: SolverRequest) {
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  expect(state.refundFailReason).toBeUndefined()
  const [hash, ...others] = state.txHashes
  if (hash === undefined) throw new Error('Nothing refunded it')
  expect(others).toEqual([])
  expect(state.refunds).toMatchObject([{ status: 'confirmed', transaction: { hash } }])
  const anvil = rig.wallet.clientOn(ethereum)
  const { blockNumber } = await anvil.getTransactionReceipt({ hash: evmHash(hash) })
  expect((await anvil.getBlockNumber()) - blockNumber).toBeGreaterThanOrEqual(confirmations)
  const [deposit, ...more] = await rig.store.depositsOf(quoted.requestId)
  expect(more).toEqual([])
  expect(deposit).toMatchObject({ status: 'refunded', reason: 'UNKNOWN' })
  expect(deposit?.refundFailReason).toBeUndefined()
  return { hash, paid: await rig.balanceOf(rig.currencyOf(place), quoted.refundTo) }
}

it('ends as refunded if another account front-runs the solver’s refund transaction', async () => {
  let other: Promise<Hex> | undefined
  const client = actBeforeCall(rig.clientOn(ethereum), async (raw) => {
    const { data = '0x' } = parseTransaction(raw as Hex)
    other = submitElsewhere(data)
    await other
  })
  solve(ethereum, { client })
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  const { hash, paid } = await refundOf(quoted)
  expect(hash).toBe(await other)
  const [refund, ...others] = await rig.store.transactionsOf(quoted.requestId)
  expect(others).toEqual([])
  expect(paid).toBe(refund?.spends[0]?.amount)
  // The solver's own transaction is closed once its revert is final.
  const statuses = async () => [
    ...(await rig.store.transactionsOf(quoted.requestId)).map(({ status }) => status),
    ...(await rig.store.depositsOf(quoted.requestId)).map(({ status }) => status),
  ]
  expect(await statuses()).toEqual(['sent', 'refunded'])
  await makeFinal(rig, ethereum, async () => refund?.attempts.map((each) => each.hash) ?? [])
  await vi.waitFor(async () => expect(await statuses()).toEqual(['reverted', 'refunded']), patience)
  expect(await rig.balanceOf(rig.currencyOf(place), quoted.refundTo)).toBe(paid)
})

it('ends as refunded if another account submits a refund that the solver has only simulated', async () => {
  let other: Promise<Hex> | undefined
  const client = actBeforeCall(
    rig.clientOn(ethereum),
    async (call) => {
      other = submitElsewhere((call as { data: Hex }).data)
      await other
    },
    (method, call) =>
      method === 'eth_estimateGas' &&
      (call as { to: string }).to === rig.contractsOn(ethereum).depository,
  )
  solve(ethereum, { client })
  const quoted = await quoteOf()
  await rig.deposit(quoted)
  const { hash, paid } = await refundOf(quoted)
  expect(hash).toBe(await other)
  // The simulated refund has a cost of one unit.
  expect(paid).toBe(inputOf(quoted).depositAmount - 1n)
  expect(await rig.store.transactionsOf(quoted.requestId)).toEqual([])
})

it('ends as refunded if another account front-runs one refund of a multi-input request', async () => {
  let other: Promise<Hex> | undefined
  const client = actBeforeCall(rig.clientOn(ethereum), async (raw) => {
    const { data = '0x' } = parseTransaction(raw as Hex)
    other = submitElsewhere(data)
    await other
  })
  solve(ethereum, { client })
  solve(bnb)
  const multiInput = createMultiInputRig(rig)
  const quoted = await multiInput.quote(
    [
      [ethereum, 'ETH', 10n ** 17n],
      [bnb, 'ETH', 10n ** 17n],
    ],
    [rollup, 'ETH'],
    { referrer: 'debug-force-refund' },
  )
  for (const input of quoted.inputs.keys()) await multiInput.deposit(quoted, input)
  const { state } = await rig.outcome(quoted.requestId)
  expect(state).toMatchObject({ status: 'refund', failReason: 'UNKNOWN' })
  const hashes = state.refunds?.map((each) => transactionOf(each)?.hash)
  expect(hashes?.[quoted.inputs.findIndex(({ chainId }) => chainId === ethereum)]).toBe(await other)
  expect(state.txHashes.toSorted()).toEqual(hashes?.toSorted())
  const transactions = await rig.store.transactionsOf(quoted.requestId)
  for (const { chainId, refundTo } of quoted.inputs) {
    const refund = transactions.find((each) => each.chainId === chainId)
    const paid = await rig.balanceOf(rig.currencyOf([chainId, 'ETH']), refundTo)
    expect(paid).toBe(refund?.spends[0]?.amount)
  }
})
