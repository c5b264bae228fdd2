import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { svmAllocator, svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import { markFilledCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { recordAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { transferTokens } from '#src/protocol/svm/tokenProgram.ts'
import { advance } from '#src/requests/machine.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { patience, randomId } from '#test/support/rigs/trackerRig.ts'
import {
  exitSeconds,
  other,
  type SvmTrackerRig,
  startSvmTrackerRig,
  svmChainId,
  token,
  user,
} from '#test/support/svm/svmTrackerRig.ts'

let rig: SvmTrackerRig
beforeAll(async () => {
  rig = await startSvmTrackerRig()
})
afterEach(() => rig.stopTrackers())
afterAll(() => rig.stop())

const payers = [svmSolver, svmAllocator] as const

/** A request with a credited deposit. */
async function creditedRequest(currency: Pubkey = svmNative) {
  const request = await rig.putRequest(currency)
  const tracker = rig.track()
  const call = rig.depositOf(request.orderId, { currency })
  await rig.send([user], [rig.call(call)])
  await rig.shows(request.requestId, { status: 'pending' })
  const [deposit] = await rig.store.depositsOf(request.requestId)
  if (deposit === undefined) throw new Error('No deposit')
  return { request, call, deposit, tracker }
}

/** Stores changes as the solver would. */
async function save(requestId: string, deposit: Deposit, event?: RequestEvent) {
  const request = await rig.store.find(requestId)
  if (request === undefined) throw new Error('No request')
  const state = event === undefined ? request.state : advance(request, event, Date.now())
  const saved = await rig.store.save({
    deposits: [deposit],
    ...(event && { requests: [{ ...request, state }] }),
  })
  expect(saved).toBe('saved')
}

/** Waits until the deposit matches. */
const depositShows = (depositId: string, expected: object) =>
  vi.waitFor(
    async () => expect(await rig.store.findDeposits([depositId])).toMatchObject([expected]),
    patience,
  )

const transactionShows = (requestId: string, expected: object) =>
  vi.waitFor(
    async () => expect(await rig.store.transactionsOf(requestId)).toMatchObject([expected]),
    patience,
  )

describe('a payout of the solver', () => {
  it.each([
    ['SOL', svmNative],
    ['a token', token],
  ])('refunds a deposit of %s', async (_, currency) => {
    const { request, call, deposit } = await creditedRequest(currency)
    const { requestId } = request
    const { depositId } = deposit
    await save(
      requestId,
      { ...deposit, status: 'refundable', reason: 'SLIPPAGE' },
      { type: 'refundDue', reason: 'SLIPPAGE' },
    )
    const refund = { ...(await rig.payoutOf(call)), amount: 900n, cost: 100n }
    const signed = await rig.sign(payers, [refundCall(rig.program, refund)])
    const stored = rig.transactionOf(signed, {
      purpose: 'refund',
      depositIds: [depositId],
      requestId,
    })
    await rig.store.save({ transactions: [stored] })
    const { slot } = await rig.land(signed)
    const paid = { recipient: user.pubkey, amount: 900n }
    await depositShows(depositId, { status: 'refunded', paid: [paid], reason: 'SLIPPAGE' })
    await transactionShows(requestId, {
      status: 'final',
      mined: { hash: signed.signature, block: { number: slot } },
    })
    await rig.shows(requestId, {
      status: 'refund',
      failReason: 'SLIPPAGE',
      refunds: [{ status: 'confirmed', transaction: { paid: { ...paid, currency } } }],
    })
  })

  it('settles a filled deposit', async () => {
    const { request, call, deposit } = await creditedRequest(token)
    const { requestId } = request
    const { depositId } = deposit
    await save(requestId, { ...deposit, status: 'settling' })
    const signed = await rig.sign(payers, [settleCall(rig.program, await rig.payoutOf(call))])
    const of = { purpose: 'settlement', depositIds: [depositId], requestId } as const
    await rig.store.save({ transactions: [rig.transactionOf(signed, of)] })
    await rig.land(signed)
    await depositShows(depositId, { status: 'settled', paid: [] })
    await transactionShows(requestId, { status: 'final' })
  })

  it('that fails is recorded with its cost: a settlement is sent again, a refund is not', async () => {
    const { request, call, deposit } = await creditedRequest()
    const second = await creditedRequest()
    await save(request.requestId, { ...deposit, status: 'settling' })
    await save(
      second.request.requestId,
      { ...second.deposit, status: 'refundable', reason: 'SLIPPAGE' },
      { type: 'refundDue', reason: 'SLIPPAGE' },
    )
    const wrong = { owed: 999n }
    const signed = [
      await rig.sign(payers, [
        settleCall(rig.program, { ...(await rig.payoutOf(call)), ...wrong }),
      ]),
      await rig.sign(payers, [
        refundCall(rig.program, {
          ...{ ...(await rig.payoutOf(second.call)), ...wrong },
          ...{ amount: 1n, cost: 0n },
        }),
      ]),
    ] as const
    const { requestId } = second.request
    await rig.store.save({
      transactions: [
        rig.transactionOf(signed[0], {
          purpose: 'settlement',
          depositIds: [deposit.depositId],
          requestId: request.requestId,
        }),
        rig.transactionOf(signed[1], {
          purpose: 'refund',
          depositIds: [second.deposit.depositId],
          requestId,
        }),
      ],
    })
    await rig.land(...signed)
    const failed = { status: 'reverted', failedCost: 10_000n }
    await transactionShows(request.requestId, { ...failed, mined: { hash: signed[0].signature } })
    await depositShows(deposit.depositId, { status: 'filled' })
    await transactionShows(requestId, failed)
    const refundFailReason = 'EXECUTION_REVERTED'
    await depositShows(second.deposit.depositId, { status: 'kept', refundFailReason })
    await rig.shows(requestId, { status: 'failure', refundFailReason })
  })
})

describe('a fill', () => {
  const markOf = (orderId: `0x${string}`, deadline = 4_000_000_000n) =>
    markFilledCall(rig.program, { solver: svmSolver.pubkey, id: orderId, deadline })

  /** A request with a deposit on another chain that this chain fills. */
  async function filledRequest(destinationCurrency: Pubkey) {
    const request = await rig.putRequest(svmNative, {
      destinationChainId: svmChainId,
      destinationCurrency,
      recipient: other.pubkey,
    })
    rig.track()
    await rig.send([user], [rig.call(rig.depositOf(request.orderId))])
    await rig.shows(request.requestId, { status: 'pending' })
    const [deposit] = await rig.store.depositsOf(request.requestId)
    return { request, depositIds: [deposit?.depositId ?? ''] }
  }

  it.each([
    ['SOL', svmNative],
    ['a token', token],
  ])('in %s is confirmed with what the recipient got', async (_, currency) => {
    const { request, depositIds } = await filledRequest(currency)
    const { requestId, orderId } = request
    const [from, to] = [svmSolver.pubkey, other.pubkey]
    const payment =
      currency === svmNative
        ? transferLamports({ from, to, lamports: 777n })
        : transferTokens({
            source: associatedTokenAddress(from, currency),
            destination: associatedTokenAddress(to, currency),
            ...{ authority: from, mint: currency, amount: 777n, decimals: 6 },
          })
    const signed = await rig.sign([svmSolver], [markOf(orderId), payment])
    const stored = rig.transactionOf(signed, { purpose: 'fill', depositIds, requestId })
    await rig.store.save({ transactions: [stored] })
    await rig.land(signed)
    const paid = { recipient: to, currency, amount: 777n }
    await rig.shows(requestId, {
      status: 'success',
      txHashes: [signed.signature],
      fill: { status: 'confirmed', transaction: { paid } },
    })
    await depositShows(depositIds[0] ?? '', { status: 'filled' })
    await transactionShows(requestId, { status: 'final' })
  })

  it('that fails leaves the request pending', async () => {
    const { request, depositIds } = await filledRequest(svmNative)
    const { requestId, orderId } = request
    const signed = await rig.sign([svmSolver], [markOf(orderId, 1n)])
    const stored = rig.transactionOf(signed, { purpose: 'fill', depositIds, requestId })
    await rig.store.save({ transactions: [stored] })
    const found = await rig.store.find(requestId)
    if (found === undefined) throw new Error('No request')
    const transaction = { chainId: svmChainId, hash: signed.signature }
    const state = advance(found, { type: 'fillSent', transaction }, Date.now())
    await rig.store.save({ requests: [{ ...found, state }] })
    await rig.land(signed)
    await transactionShows(requestId, { status: 'reverted', failedCost: 5_000n })
    await rig.shows(requestId, { status: 'pending', fill: { status: 'waiting' } })
    await depositShows(depositIds[0] ?? '', { status: 'credited' })
  })
})

describe('the depositor leaves alone', () => {
  const exit = (call: Parameters<typeof exitCall>[1]) =>
    rig.send([other], [exitCall(rig.program, call)])

  it('after the exit time: the deposit and its request end', async () => {
    const { request, call, deposit } = await creditedRequest()
    const rentPayer = user.pubkey
    await exit({ ...call, rentPayer })
    await depositShows(deposit.depositId, { status: 'credited' })
    rig.node.warp({ seconds: exitSeconds })
    const { signature } = await exit({ ...call, rentPayer })
    const paid = [{ recipient: user.pubkey, amount: 1_000n }]
    await depositShows(deposit.depositId, { status: 'refunded', paid })
    await rig.shows(request.requestId, { status: 'refund', txHashes: [signature] })
  })

  it('with a deposit that nobody ordered, and again with the same record', async () => {
    rig.track()
    const call = rig.depositOf(randomId())
    const rentPayer = user.pubkey
    for (let made = 0; made < 2; made += 1) {
      await rig.send([user], [rig.call(call)])
      rig.node.warp({ seconds: exitSeconds })
      await exit({ ...call, rentPayer })
    }
    const record = recordAddress(rig.program, call)
    await vi.waitFor(
      async () =>
        expect(await rig.store.depositsOfRecords(svmChainId, [record])).toMatchObject([
          { status: 'refunded' },
          { status: 'refunded' },
        ]),
      patience,
    )
  })

  it('with a filled deposit, which the solver has lost', async () => {
    const { request, call, deposit } = await creditedRequest()
    await save(request.requestId, { ...deposit, status: 'filled' })
    rig.node.warp({ seconds: exitSeconds })
    await exit({ ...call, rentPayer: user.pubkey })
    await depositShows(deposit.depositId, { status: 'settled' })
  })
})
