import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import {
  chainId,
  patience,
  randomId,
  type Signed,
  startTrackerRig,
  type TrackerRig,
} from '#test/support/rigs/trackerRig.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'

type Request = Awaited<ReturnType<TrackerRig['putSolverRequest']>>

/** The tracker dies at save number `at`: just before the save, or just after it and before the tracker learns of it. */
type Death = Readonly<{ at: number; when: 'before' | 'after' }>

describe.each(storeHomes)('tracking of solver transactions, stored on %s', (_, createHome) => {
  let rig: TrackerRig
  let nonce = 0
  beforeAll(async () => {
    rig = await startTrackerRig(createHome)
  })
  afterEach(() => rig.stopTrackers())
  afterAll(() => rig.stop())

  /** Stores a transaction before it is sent, as the solver does. */
  async function writeAhead(
    request: Request,
    purpose: 'fill' | 'refund' | 'settlement',
    { raw, hash }: Signed,
  ): Promise<void> {
    const stored = await rig.store.find(request.requestId)
    const [depositId] = stored === undefined ? [] : fundingDepositIds(stored)
    if (stored === undefined || depositId === undefined) throw new Error('Not funded')
    const sent: Readonly<Record<typeof purpose, RequestEvent | undefined>> = {
      fill: { type: 'fillSent', transaction: { chainId, hash } },
      refund: { type: 'refundSent', input: 0, transaction: { chainId, hash } },
      settlement: undefined,
    }
    const transaction: SolverTransaction = {
      transactionId: `${purpose}:${request.requestId}`,
      purpose,
      chainId,
      account: rig.config.wrappedNative,
      nonce: nonce++,
      requestId: request.requestId,
      depositIds: [depositId],
      spends: [],
      attempts: [{ hash, raw, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }],
      status: 'sent',
      createdAt: 1,
      version: 0,
    }
    const event = sent[purpose]
    const state = event && advance(stored, event, 1)
    const saved = await rig.store.save({
      ...(state && { requests: [{ ...stored, state }] }),
      transactions: [transaction],
    })
    expect(saved).toBe('saved')
  }

  const transactionOf = async ({ requestId }: Request, purpose: string) =>
    (await rig.store.transactionsOf(requestId)).find((each) => each.purpose === purpose)
  const depositOf = async ({ requestId }: Request) => (await rig.store.depositsOf(requestId))[0]

  async function fund(): Promise<Request> {
    const request = await rig.putSolverRequest(nativeAddress)
    await rig.send(rig.calls.depositNative(request.orderId))
    await rig.mine()
    await rig.shows(request.requestId, { status: 'pending' })
    return request
  }

  it('a confirmed fill ends its request with success, and a confirmed settlement settles the deposit', async () => {
    rig.track()
    const request = await fund()
    const fill = await rig.sign(rig.calls.routed(request.orderId), 'other')
    await writeAhead(request, 'fill', fill)
    await rig.mine([fill])
    await rig.shows(request.requestId, {
      status: 'submitted',
      fill: { status: 'seen', transaction: { hash: fill.hash } },
    })
    expect(await transactionOf(request, 'fill')).toMatchObject({ status: 'mined' })
    await rig.mine([], 1)
    await rig.shows(request.requestId, { status: 'success', txHashes: [fill.hash] })
    expect(await transactionOf(request, 'fill')).toMatchObject({ status: 'final' })
    expect(await depositOf(request)).toMatchObject({ status: 'filled' })
    expect(await rig.statuses(request.requestId)).toEqual([
      ...['waiting', 'pending', 'submitted', 'submitted', 'success'],
    ])
    const settlement = await rig.sign(rig.calls.routed(randomId()), 'other')
    await writeAhead(request, 'settlement', settlement)
    await rig.mine([settlement], 2)
    await vi.waitFor(
      async () => expect(await depositOf(request)).toMatchObject({ status: 'settled' }),
      patience,
    )
  })

  it('a confirmed refund ends the request and shows the fail reason', async () => {
    rig.track()
    const request = await fund()
    const stored = await rig.store.find(request.requestId)
    if (stored === undefined) throw new Error('Not stored')
    const state = advance(stored, { type: 'refundDue', reason: 'SLIPPAGE' }, 1)
    await rig.store.save({ requests: [{ ...stored, state }] })
    const refund = await rig.sign(rig.calls.routed(randomId()), 'other')
    await writeAhead(request, 'refund', refund)
    await rig.mine([refund], 2)
    await rig.shows(request.requestId, {
      status: 'refund',
      failReason: 'SLIPPAGE',
      txHashes: [refund.hash],
    })
    expect(await depositOf(request)).toMatchObject({ status: 'refunded' })
  })

  it('a fill removed by a reorg returns to sent, and counts once when it is mined again', async () => {
    rig.track()
    const request = await fund()
    const fill = await rig.sign(rig.calls.routed(request.orderId), 'other')
    await writeAhead(request, 'fill', fill)
    await rig.mine([fill])
    await rig.shows(request.requestId, { fill: { status: 'seen' } })
    await rig.reorg(1)
    await rig.mine()
    await rig.shows(request.requestId, {
      status: 'pending',
      fill: { status: 'sent' },
      txHashes: [],
    })
    expect(await transactionOf(request, 'fill')).toMatchObject({ status: 'sent' })
    expect(await transactionOf(request, 'fill')).not.toHaveProperty('mined')
    await rig.mine([fill], 2)
    await rig.shows(request.requestId, { status: 'success', txHashes: [fill.hash] })
  })

  it('a confirmed fill removed by a deep reorg returns to sent, and the request stays successful', async () => {
    rig.track()
    const request = await fund()
    const fill = await rig.sign(rig.calls.routed(request.orderId), 'other')
    await writeAhead(request, 'fill', fill)
    await rig.mine([fill], 2)
    await rig.shows(request.requestId, { status: 'success' })
    const { seq } = await rig.stateOf(request.requestId)
    await rig.reorg(3)
    await rig.mine()
    const is = (status: string) =>
      vi.waitFor(
        async () => expect(await transactionOf(request, 'fill')).toMatchObject({ status }),
        patience,
      )
    await is('sent')
    await rig.mine([fill], 2)
    await is('final')
    expect(await rig.stateOf(request.requestId)).toMatchObject({ status: 'success', seq })
    expect(await depositOf(request)).toMatchObject({ status: 'filled' })
  })

  it('a deposit that a reorg removes while its fill is in flight stays credited', async () => {
    rig.track()
    const request = await rig.putSolverRequest(nativeAddress)
    const deposit = await rig.sign(rig.calls.depositNative(request.orderId))
    await rig.mine([deposit])
    await rig.mine()
    await rig.shows(request.requestId, { status: 'pending' })
    const fill = await rig.sign(rig.calls.routed(request.orderId), 'other')
    await writeAhead(request, 'fill', fill)
    await rig.reorg(2)
    await rig.mine()
    await vi.waitFor(async () => {
      const known = await depositOf(request)
      expect(known).toMatchObject({ status: 'credited' })
      expect(known).not.toHaveProperty('block')
    }, patience)
    expect(await rig.stateOf(request.requestId)).toMatchObject({ status: 'submitted' })
    await rig.mine([deposit])
    await vi.waitFor(async () => expect(await depositOf(request)).toHaveProperty('block'), patience)
    await rig.mine([fill], 2)
    await rig.shows(request.requestId, { status: 'success' })
    expect(await depositOf(request)).toMatchObject({ status: 'filled' })
  })

  const deaths: readonly Death[] = [1, 2, 3, 4, 5, 6].flatMap((at) => [
    { at, when: 'before' },
    { at, when: 'after' },
  ])
  it.each(deaths)(
    'a tracker that dies $when save number $at loses and repeats no change',
    async (death) => {
      const killable = dieAt(rig.store, death)
      let tracker = rig.track(killable.store)
      const restarted = killable.died.then(async () => {
        await tracker.stop()
        tracker = rig.track()
      })
      const swap = await rig.putUserRequest((id) => rig.calls.wrap(id), {
        originCurrency: nativeAddress,
        amountIn: 1_000n,
      })
      const request = await fund()
      await rig.send(rig.calls.wrap(swap.requestId))
      const fill = await rig.sign(rig.calls.routed(request.orderId), 'other')
      await writeAhead(request, 'fill', fill)
      await rig.mine([fill], 2)
      await rig.shows(request.requestId, { status: 'success', txHashes: [fill.hash] })
      await rig.shows(swap.requestId, { status: 'success' })
      await restarted
      expect(await rig.statuses(request.requestId)).toEqual([
        ...['waiting', 'pending', 'submitted', 'submitted', 'success'],
      ])
      expect(await rig.statuses(swap.requestId)).toEqual(['pending', 'success'])
      expect(await rig.store.depositsOf(request.requestId)).toMatchObject([{ status: 'filled' }])
      expect(await transactionOf(request, 'fill')).toMatchObject({ status: 'final' })
    },
  )
})

function dieAt(store: RequestStore, { at, when }: Death) {
  const death = Promise.withResolvers<void>()
  let calls = 0
  return {
    died: death.promise,
    store: {
      ...store,
      save: async (batch) => {
        calls += 1
        if (calls < at) return store.save(batch)
        if (calls === at && when === 'after') await store.save(batch)
        death.resolve()
        throw new Error('Died')
      },
    } satisfies RequestStore,
  }
}
