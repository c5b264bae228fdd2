import { type Hex, isHex, numberToHex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { finalityBlocks } from '#test/support/chains/pace.ts'
import { changeResult } from '#test/support/nodes/rpcProxy.ts'
import {
  patience,
  randomId,
  startTrackerRig,
  type TrackerRig,
} from '#test/support/rigs/trackerRig.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'

const [home] = storeHomes.slice(-1)
if (home === undefined) throw new Error('There is no store')

describe(`a failure delays the tracker but loses no event, stored on ${home[0]}`, () => {
  let rig: TrackerRig
  beforeAll(async () => {
    rig = await startTrackerRig(home[1])
  })
  afterEach(async () => {
    rig.proxy.behave('pass')
    await rig.stopTrackers()
  })
  afterAll(() => rig.stop())

  it('the first tracker starts when the first deposit is final already', async () => {
    const request = await rig.putSolverRequest(nativeAddress)
    await rig.send(rig.calls.depositNative(request.orderId))
    await rig.anvil.mine({ blocks: 3 * finalityBlocks })
    expect(await rig.store.cursor(rig.config.id)).toBeUndefined()
    rig.track()
    await rig.shows(request.requestId, { status: 'pending' })
  })

  it('the store fails for a while', async () => {
    const request = await rig.putSolverRequest(nativeAddress)
    const failing = failNow(rig.store, ['save', 'openDeposits', 'findByOrders', 'findDeposits'])
    rig.track(failing.store)
    await rig.send(rig.calls.depositNative(request.orderId))
    await vi.waitFor(() => expect(failing.failures()).toBeGreaterThan(2), patience)
    expect(await rig.stateOf(request.requestId)).toMatchObject({ seq: 0 })
    failing.mend()
    await rig.mine()
    await rig.shows(request.requestId, { status: 'pending' })
    expect(await rig.statuses(request.requestId)).toEqual(['waiting', 'pending'])
  })

  it('another process saves first: the decision on a block is made again', async () => {
    const request = await rig.putSolverRequest(nativeAddress)
    let conflicts = 0
    rig.track({
      ...rig.store,
      // The first deposit that the tracker saves meets a row that another process has just changed.
      save: async (batch) => {
        if ((batch.deposits ?? []).length === 0 || conflicts > 0) return rig.store.save(batch)
        conflicts += 1
        return 'conflict'
      },
    })
    await rig.send(rig.calls.depositNative(request.orderId))
    await rig.mine()
    await vi.waitFor(
      async () => expect(await rig.store.depositsOf(request.requestId)).toHaveLength(1),
      patience,
    )
    expect(conflicts).toBe(1)
    await rig.shows(request.requestId, { status: 'pending' })
    expect(await rig.statuses(request.requestId)).toEqual(['waiting', 'pending'])
  })

  it('the RPC connection is cut, then the node does not know a mined transaction yet', async () => {
    const [first, second] = [
      await rig.putSolverRequest(nativeAddress),
      await rig.putSolverRequest(),
    ]
    const tracker = rig.track()
    await tracker.settled()
    rig.proxy.behave('cut')
    await rig.send(rig.calls.depositNative(first.orderId))
    await rig.mine()
    await vi.waitFor(
      () =>
        expect(rig.lines.map(({ msg }) => msg)).toContain('Cannot follow the chain; will retry'),
      patience,
    )
    rig.proxy.behave('pass')
    await rig.shows(first.requestId, { status: 'pending' })
    const asks = () =>
      rig.proxy.calls.filter(({ method }) => method === 'eth_getTransactionByHash').length
    rig.proxy.behave(changeResult('eth_getTransactionByHash', () => null))
    const before = asks()
    await rig.send(rig.calls.plainErc20(second.orderId))
    await rig.mine()
    await vi.waitFor(() => expect(asks()).toBeGreaterThan(before + 1), patience)
    expect(await rig.stateOf(second.requestId)).toMatchObject({ seq: 0 })
    rig.proxy.behave('pass')
    await showsOnceFinal(second.requestId, { status: 'pending' })
    expect(await rig.statuses(second.requestId)).toEqual(['waiting', 'pending'])
  })

  /**
   * Plain transfers count once they are final. A tracker that read the finalized block
   * just before learns of it with a later block, so this mines on until the request shows it.
   */
  async function showsOnceFinal(requestId: Hex, expected: object) {
    await rig.mine([], finalityBlocks + 2)
    await vi.waitFor(async () => {
      await rig.mine()
      expect(await rig.stateOf(requestId)).toMatchObject(expected)
    }, patience)
  }

  /** Mines a deposit that the tracker cannot read: the proxy hides every transaction, and the blocks for which `isGone` is true. */
  async function depositUnseen(orderId: `0x${string}`, isGone: (height: Hex) => boolean) {
    const signed = await rig.sign(rig.calls.plainErc20(orderId))
    let asks = 0
    rig.proxy.behave({
      change: (call, answer) => {
        const [param] = call.params as readonly [Hex]
        if (call.method === 'eth_getBlockByNumber' && isGone(param)) return { result: null }
        if (call.method !== 'eth_getTransactionByHash') return answer
        asks += 1
        return { result: null }
      },
    })
    await rig.mine([signed])
    await vi.waitFor(() => expect(asks).toBeGreaterThan(0), patience)
    return signed
  }

  it('a reorg removes a block while the tracker reads it', async () => {
    const [gone, next] = [await rig.putSolverRequest(), await rig.putSolverRequest(nativeAddress)]
    const tracker = rig.track()
    await tracker.settled()
    const signed = await depositUnseen(gone.orderId, () => false)
    await rig.reorg(1)
    rig.proxy.behave('pass')
    await rig.send(rig.calls.depositNative(next.orderId), 'other')
    await rig.mine()
    await rig.shows(next.requestId, { status: 'pending' })
    expect(await rig.stateOf(gone.requestId)).toMatchObject({ status: 'waiting', seq: 0 })
    await rig.mine([signed], 1)
    await showsOnceFinal(gone.requestId, { status: 'pending', inTxHashes: [signed.hash] })
    expect(await rig.statuses(gone.requestId)).toEqual(['waiting', 'pending'])
    expect(tracker.status().restarts).toBe(0)
  })

  it('a block that no node returns is read later, by the next tracker if this one stops', async () => {
    const [first, second] = [await rig.putSolverRequest(), await rig.putSolverRequest()]
    const third = await rig.putSolverRequest(nativeAddress)
    const tracker = rig.track()
    await tracker.settled()
    const hideNext = async () => {
      const height = numberToHex((await rig.anvil.getBlockNumber()) + 1n)
      return (asked: Hex) => asked === height
    }
    await depositUnseen(first.orderId, await hideNext())
    await tracker.settled()
    expect(await rig.stateOf(first.requestId)).toMatchObject({ seq: 0 })
    rig.proxy.behave('pass')
    await tracker.settled()
    await showsOnceFinal(first.requestId, { status: 'pending' })

    await depositUnseen(second.orderId, await hideNext())
    const unread = await rig.anvil.getBlock()
    await rig.anvil.mine({ blocks: finalityBlocks + 16 })
    await tracker.settled()
    // Every save advances the cursor, but not past an unread block.
    await rig.send(rig.calls.depositNative(third.orderId), 'other')
    await rig.mine()
    await rig.shows(third.requestId, { status: 'pending' })
    expect(await rig.stateOf(second.requestId)).toMatchObject({ seq: 0 })
    const { number } = await rig.anvil.getBlock({ blockTag: 'finalized' })
    expect(number).toBeGreaterThan(unread.number)
    expect((await rig.store.cursor(rig.config.id))?.block).toEqual({
      number: unread.number - 1n,
      hash: unread.parentHash,
    })
    await tracker.stop()
    rig.proxy.behave('pass')
    await rig.track().settled()
    await showsOnceFinal(second.requestId, { status: 'pending' })
  })

  it('the tracker restarts if no node returns a series of blocks', async () => {
    const request = await rig.putSolverRequest()
    const tracker = rig.track()
    await tracker.settled()
    const isFollowed = (asked: Hex) =>
      isHex(asked) && BigInt(asked) > 0n && BigInt(asked) <= (tracker.status().head ?? 0n)
    await depositUnseen(request.orderId, isFollowed)
    for (let blocks = 0; blocks < 20; blocks += 1) await rig.send(rig.calls.plainErc20(randomId()))
    await vi.waitFor(() => expect(tracker.status().restarts).toBeGreaterThan(0), patience)
    rig.proxy.behave('pass')
    await tracker.settled()
    await showsOnceFinal(request.requestId, { status: 'pending' })
  })

  it('a hint for an unmined transaction survives a restart of the tracker', async () => {
    const request = await rig.putUserRequest(() => rig.calls.nativeSend(51n), {
      originCurrency: nativeAddress,
      amountIn: 51n,
    })
    const send = await rig.sign(rig.calls.nativeSend(51n))
    const first = rig.track()
    await first.settled()
    await rig.hint(send.hash, request.requestId)
    await vi.waitFor(() => expect(first.status().watched).toBe(1), patience)
    await first.stop()
    expect(first.status().watched).toBe(0)
    rig.track()
    await rig.mine([send], 2)
    await rig.shows(request.requestId, { status: 'success', txHashes: [send.hash] })
  })

  it('the cursor advances with the finalized block, and the next tracker resumes from it', async () => {
    const first = rig.track()
    await first.settled()
    await rig.anvil.mine({ blocks: 136 })
    await first.settled()
    await first.settled()
    const { number } = await rig.anvil.getBlock({ blockTag: 'finalized' })
    await vi.waitFor(async () => {
      const cursor = await rig.store.cursor(rig.config.id)
      expect(cursor?.block.number).toBeGreaterThan(number - 64n)
    }, patience)
    await first.stop()
    const cursor = await rig.store.cursor(rig.config.id)
    const block = await rig.anvil.getBlock({ blockNumber: cursor?.block.number ?? 0n })
    expect(cursor?.block.hash).toBe(block.hash)
    const second = rig.track()
    await vi.waitFor(() => expect(second.status().cursor).toBe(cursor?.block.number), patience)
  })

  it('a new chain with the same id: open requests of the old chain fail, and new requests are tracked', async () => {
    const before = rig.track()
    const open = await rig.putSolverRequest(nativeAddress)
    await rig.send(rig.calls.depositNative(open.orderId))
    await rig.mine()
    await rig.shows(open.requestId, { status: 'pending' })
    await before.stop()
    const cursor = await rig.store.cursor(rig.config.id)
    if (cursor === undefined) throw new Error('No cursor')
    const block = { ...cursor.block, hash: randomId() }
    await rig.store.save({ cursor: { ...cursor, genesis: randomId(), block } })
    const after = rig.track()
    await rig.shows(open.requestId, { status: 'failure' })
    const fresh = await rig.putSolverRequest(nativeAddress)
    await after.settled()
    await rig.send(rig.calls.depositNative(fresh.orderId))
    await rig.mine()
    await rig.shows(fresh.requestId, { status: 'pending' })
    expect(rig.lines.map(({ msg }) => msg)).toContain(
      'The genesis block has changed; deleting the stored rows of the old chain',
    )
  })
})

/** A store whose named functions fail until `mend` is called. */
function failNow(store: RequestStore, names: readonly (keyof RequestStore)[]) {
  let failures = 0
  let isMended = false
  const failing = names.map((name) => [
    name,
    (...args: never[]) => {
      if (isMended) return (store[name] as (...all: never[]) => unknown)(...args)
      failures += 1
      return Promise.reject(new Error('The store fails'))
    },
  ])
  return {
    store: { ...store, ...Object.fromEntries(failing) } as RequestStore,
    failures: () => failures,
    mend: () => {
      isMended = true
    },
  }
}
