import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import { sweepCall } from '#src/protocol/svm/depository/depositCalls.ts'
import { depositAddress, recordAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { memo } from '#src/protocol/svm/memo.ts'
import { transferLamports } from '#src/protocol/svm/systemProgram.ts'
import { createTokenAccount, transferTokens } from '#src/protocol/svm/tokenProgram.ts'
import { svmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import { changeResult } from '#test/support/nodes/rpcProxy.ts'
import { patience, randomId } from '#test/support/rigs/trackerRig.ts'
import {
  exitSeconds,
  other,
  type SvmTrackerRig,
  startSvmTrackerRig,
  svmChainId,
  token,
  unlisted,
  user,
} from '#test/support/svm/svmTrackerRig.ts'

let rig: SvmTrackerRig
beforeAll(async () => {
  rig = await startSvmTrackerRig()
})
afterEach(async () => {
  rig.proxy.behave('pass')
  await rig.stopTrackers()
})
afterAll(() => rig.stop())

const depositsOf = (requestId: string) => rig.store.depositsOf(requestId)

const pending = { status: 'pending', steps: [[{}], [{ status: 'confirmed' }]] }

/** A payment as any wallet makes it. */
function paymentTo(to: Pubkey, currency: Pubkey, amount: bigint): readonly Instruction[] {
  const from = user.pubkey
  if (currency === svmNative) return [transferLamports({ from, to, lamports: amount })]
  const [source, destination] = [from, to].map((each) => associatedTokenAddress(each, currency))
  if (source === undefined || destination === undefined) throw new Error('No token accounts')
  return [
    createTokenAccount({ payer: from, owner: to, mint: currency }),
    transferTokens({ source, destination, authority: from, mint: currency, amount, decimals: 6 }),
  ]
}

describe('a deposit', () => {
  it.each([
    ['SOL', svmNative],
    ['a token', token],
  ])('of %s is credited once it is final', async (_, currency) => {
    const request = await rig.putRequest(currency)
    const tracker = rig.track()
    await rig.settled(tracker)
    const deposit = rig.depositOf(request.orderId, { currency })
    const { signature, slot } = await rig.send([user], [memo(request.requestId), rig.call(deposit)])
    await rig.shows(request.requestId, { ...pending, inTxHashes: [signature] })
    const record = recordAddress(rig.program, deposit)
    const depositId = svmDepositId({ ...deposit, chainId: svmChainId, record, slot })
    const [stored] = await depositsOf(request.requestId)
    expect(stored).toMatchObject({
      depositId,
      status: 'credited',
      txHash: signature,
      block: { number: slot },
      logIndex: 256,
      orderId: request.orderId,
      depositor: user.pubkey,
      currency,
      amount: 1_000n,
      record: { index: 0, exitTime: (stored?.timestamp ?? 0) + exitSeconds },
    })
    expect((await rig.stateOf(request.requestId)).inputStates).toEqual([
      { status: 'funded', depositId },
    ])
  })

  it('shows while it is only confirmed, moves no money, and is hidden if its block is dropped', async () => {
    const [one, other] = [await rig.putRequest(), await rig.putRequest()]
    const [first] = one.inputs
    if (first === undefined) throw new Error('No input')
    const several = await rig.putRequest(svmNative, {
      inputs: [first, { ...first, depositCurrency: token }],
      funding: { depositDeadline: 4_000_000_000, partial: false },
    })
    const tracker = rig.track()
    await rig.settled(tracker)
    const confirm = async (orderId: typeof one.orderId) => {
      const { bytes, signature } = await rig.sign([user], [rig.call(rig.depositOf(orderId))])
      await rig.client.send(bytes)
      rig.node.warp({ slots: 2 })
      return signature
    }
    const seen = { steps: [[{}], [{ status: 'seen' }]] }
    const dropped = await confirm(other.orderId)
    await rig.shows(other.requestId, { ...seen, status: 'waiting', inTxHashes: [dropped] })
    rig.node.fork(2)
    rig.node.warp({ slots: 6 })
    await rig.shows(other.requestId, { status: 'waiting', inTxHashes: [] })
    const inTxHashes = [await confirm(one.orderId)]
    await rig.shows(one.requestId, { ...seen, status: 'waiting', inTxHashes })
    await confirm(several.orderId)
    await rig.shows(several.requestId, { status: 'depositing' })
    expect(await depositsOf(several.requestId)).toEqual([])
    rig.node.warp({ slots: 1 })
    await rig.shows(one.requestId, { ...pending, inTxHashes })
    expect((await rig.stateOf(other.requestId)).steps[1]).toEqual([{ status: 'waiting' }])
  })

  it('is credited along with another one in the same transaction, and with a gift to the vault', async () => {
    const [one, two] = [await rig.putRequest(), await rig.putRequest()]
    rig.track()
    const gift = { from: user.pubkey, to: rig.vault, lamports: 77n }
    await rig.send(
      [user],
      [
        rig.call(rig.depositOf(one.orderId)),
        transferLamports(gift),
        rig.call(rig.depositOf(two.orderId, { amount: 1_500n })),
      ],
    )
    await rig.shows(one.requestId, pending)
    await rig.shows(two.requestId, pending)
    expect(await depositsOf(two.requestId)).toMatchObject([{ amount: 1_500n, logIndex: 512 }])
  })

  it('for the order of somebody else counts for the order; its own depositor gets refunds', async () => {
    const request = await rig.putRequest()
    rig.track()
    const stranger = { depositor: other.pubkey, sender: other.pubkey, payer: other.pubkey }
    await rig.send([other], [rig.call(rig.depositOf(request.orderId, stranger))])
    await rig.shows(request.requestId, pending)
    await rig.send([user], [rig.call(rig.depositOf(request.orderId))])
    await vi.waitFor(
      async () =>
        expect(await depositsOf(request.requestId)).toMatchObject([
          { status: 'credited', depositor: other.pubkey },
          { status: 'refundable', reason: 'DOUBLE_SPEND', depositor: user.pubkey },
        ]),
      patience,
    )
  })

  it.each([
    ['SOL', svmNative],
    ['a token', token],
  ])('swept from a deposit address has what the address held of %s', async (_, currency) => {
    const request = await rig.putRequest(currency)
    const { orderId } = request
    rig.track()
    const sweep = { id: orderId, depositor: user.pubkey, currency, nonce: 7n }
    const sender = depositAddress(rig.program, sweep)
    await rig.send([user], paymentTo(sender, currency, 1_000_001n))
    const call = sweepCall(rig.program, { ...sweep, sweeper: other.pubkey })
    const { slot } = await rig.send([other], [call])
    await rig.shows(request.requestId, pending)
    const record = recordAddress(rig.program, { ...sweep, sender })
    const depositId = svmDepositId({ chainId: svmChainId, record, slot, sender, nonce: 7n })
    expect(await depositsOf(request.requestId)).toMatchObject([
      { depositId, amount: 1_000_001n, depositor: user.pubkey },
    ])
  })

  it('for an unknown order is refundable', async () => {
    rig.track()
    const deposit = rig.depositOf(randomId())
    const { slot } = await rig.send([user], [rig.call(deposit)])
    const record = recordAddress(rig.program, deposit)
    const depositId = svmDepositId({ ...deposit, chainId: svmChainId, record, slot })
    await vi.waitFor(
      async () =>
        expect(await rig.store.findDeposits([depositId])).toMatchObject([
          { status: 'refundable', reason: 'UNKNOWN' },
        ]),
      patience,
    )
  })
})

describe('nothing is credited', () => {
  /** Lands a transaction, and then a deposit that is credited: what came before it is decided as well. */
  async function checkIgnored(act: (orderId: `0x${string}`) => Promise<unknown>): Promise<void> {
    const [ignored, credited] = [await rig.putRequest(), await rig.putRequest()]
    rig.track()
    await act(ignored.orderId)
    await rig.send([user], [rig.call(rig.depositOf(credited.orderId))])
    await rig.shows(credited.requestId, pending)
    expect(await rig.stateOf(ignored.requestId)).toMatchObject({
      status: 'waiting',
      inTxHashes: [],
    })
    expect(await depositsOf(ignored.requestId)).toEqual([])
  }

  it('for a failed transaction', () =>
    checkIgnored(async (orderId) => {
      const deposit = rig.call(rig.depositOf(orderId))
      // The same record cannot be made twice.
      await rig.send([user], [deposit, deposit])
    }))

  it('for a currency without a ledger', () =>
    checkIgnored((orderId) =>
      rig.send([user], [rig.call(rig.depositOf(orderId, { currency: unlisted }))]),
    ))

  it('for a memo and a payment to the vault', () =>
    checkIgnored((orderId) =>
      rig.send(
        [user],
        [memo(orderId), transferLamports({ from: user.pubkey, to: rig.vault, lamports: 1_000n })],
      ),
    ))

  it('for another program with the same call', () =>
    checkIgnored(async (orderId) => {
      const call = rig.call(rig.depositOf(orderId))
      const vault = transferLamports({ from: user.pubkey, to: rig.vault, lamports: 1_000n })
      await rig.send([user], [{ ...call, programId: svmSigner('no program').pubkey }])
      await rig.send([user], [{ ...memo(''), data: call.data }, vault])
    }))

  it('for an amount that no balance shows', async () => {
    const request = await rig.putRequest()
    const tracker = rig.track()
    await rig.settled(tracker)
    type Answer = Readonly<{ meta: { preBalances: readonly number[] } }> | null
    rig.proxy.behave(
      changeResult<Answer>(
        'getTransaction',
        (answer) =>
          answer && { ...answer, meta: { ...answer.meta, postBalances: answer.meta.preBalances } },
      ),
    )
    const { signature } = await rig.send([user], [rig.call(rig.depositOf(request.orderId))])
    await vi.waitFor(
      () => expect(rig.lines.filter(({ level }) => level >= 50)).toMatchObject([{ signature }]),
      patience,
    )
    expect(await depositsOf(request.requestId)).toEqual([])
    // A client names the transaction once the endpoint tells the truth.
    rig.proxy.behave('pass')
    await rig.store.addHint({ chainId: svmChainId, txHash: signature })
    await rig.shows(request.requestId, pending)
  })
})
