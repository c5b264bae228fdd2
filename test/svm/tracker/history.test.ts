import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { createLog } from '#src/config/log.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import { type SvmSignature, svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { recordAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { exitCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { depositoryEvents } from '#src/requests/tracker/svm/depositoryEvents.ts'
import { skipHistory } from '#src/requests/tracker/svm/skipHistory.ts'
import { changeResult, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { patience } from '#test/support/rigs/trackerRig.ts'
import {
  exitSeconds,
  type SvmTrackerRig,
  startDepositoryNode,
  startSvmTrackerRig,
  svmChainId,
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

const pending = { status: 'pending' }

const pay = async () => {
  const request = await rig.putRequest()
  const sent = await rig.send([user], [rig.call(rig.depositOf(request.orderId))])
  return { ...request, ...sent }
}

describe('a tracker', () => {
  it('that starts after the first quotes reads the history from its beginning, a later one from the cursor', async () => {
    const before = await pay()
    const first = rig.track()
    await rig.shows(before.requestId, pending)
    await first.stop()
    const cursor = { chainId: svmChainId, genesis: rig.config.genesisHash }
    const { slot: number, signature: hash } = before
    expect(await rig.store.cursor(svmChainId)).toEqual({ ...cursor, block: { number, hash } })
    // More than two pages of the history, in few blocks.
    const missed = await Promise.all(Array.from({ length: 120 }, () => rig.putRequest()))
    for (let at = 0; at < missed.length; at += 40) {
      const some = missed.slice(at, at + 40).map(({ orderId }) => rig.depositOf(orderId))
      await rig.land(...(await Promise.all(some.map((each) => rig.sign([user], [rig.call(each)])))))
    }
    const last = await pay()
    const asked = rig.proxy.calls.length
    rig.track()
    await rig.shows(last.requestId, pending)
    for (const { requestId } of missed) expect(await rig.stateOf(requestId)).toMatchObject(pending)
    const pages = rig.proxy.calls
      .slice(asked)
      .filter(({ method }) => method === 'getSignaturesForAddress')
    expect(pages.some(({ params }) => (params[1] as { before?: string }).before)).toBe(true)
    const read = rig.proxy.calls.slice(asked).filter(({ method }) => method === 'getTransaction')
    expect(read.map(({ params }) => params[0])).not.toContain(before.signature)
  })

  it('credits a deposit once, however often it sees it', async () => {
    const first = rig.track()
    const { requestId, signature } = await pay()
    await rig.shows(requestId, pending)
    await first.stop()
    const cursor = await rig.store.cursor(svmChainId)
    if (cursor === undefined) throw new Error('No cursor')
    // Another process has saved an earlier cursor, and a client names the transaction.
    const block = { number: 0n, hash: cursor.genesis }
    await rig.store.save({ cursor: { ...cursor, block } })
    await rig.store.addHint({ chainId: svmChainId, txHash: signature })
    const { seq } = await rig.stateOf(requestId)
    const again = rig.track()
    rig.track()
    const next = await pay()
    await rig.shows(next.requestId, pending)
    await rig.settled(again)
    expect(await rig.store.depositsOf(requestId)).toHaveLength(1)
    expect((await rig.stateOf(requestId)).seq).toBe(seq)
  })

  it('counts a deposit once whose transaction an endpoint names twice', async () => {
    type Page = readonly unknown[]
    rig.proxy.behave(
      changeResult<Page>('getSignaturesForAddress', (page, [, options]) =>
        page.flatMap((entry) => [entry, entry]).slice(0, (options as { limit: number }).limit),
      ),
    )
    rig.track()
    const { requestId } = await pay()
    await rig.shows(requestId, pending)
    expect(await rig.store.depositsOf(requestId)).toMatchObject([{ amount: 1_000n }])
  })

  it('waits for an endpoint that has the whole history', async () => {
    const { stop } = rig.track()
    const { requestId } = await pay()
    await rig.shows(requestId, pending)
    await stop()
    rig.proxy.behave(changeResult('getSignaturesForAddress', () => []))
    const tracker = rig.track()
    await vi.waitFor(() => expect(tracker.status().restarts).toBeGreaterThan(1), patience)
    const next = await pay()
    expect(await rig.stateOf(next.requestId)).toMatchObject({ status: 'waiting' })
    rig.proxy.behave('pass')
    await rig.shows(next.requestId, pending)
  })

  it('finds a deposit that an endpoint leaves out, and is not stopped by one that another invents', async () => {
    const second = await startRpcProxy(rig.node.url)
    const at = await rig.connect(rig.proxy.url, [second.url])
    try {
      const tracker = rig.track(rig.store, at)
      await rig.settled(tracker)
      const invented = svmSignatureOf(new Uint8Array(64).fill(9))
      type Page = readonly Readonly<{ signature: string }>[]
      second.behave(
        changeResult<Page>('getSignaturesForAddress', (page, [, options]) => {
          const { limit, before } = options as { limit: number; before?: string }
          const [first] = page
          if (first === undefined || before !== undefined) return page
          return [{ ...first, signature: invented }, ...page].slice(0, limit)
        }),
      )
      const shown = (await pay()).signature
      let hidden = shown
      rig.proxy.behave(
        changeResult<Page>('getSignaturesForAddress', (page) =>
          page.filter(({ signature }) => signature === shown || signature !== hidden),
        ),
      )
      const request = await rig.putRequest()
      const signed = await rig.sign([user], [rig.call(rig.depositOf(request.orderId))])
      hidden = signed.signature
      await rig.land(signed)
      await rig.shows(request.requestId, pending)
      const next = await pay()
      await rig.shows(next.requestId, pending)
      expect(await rig.store.depositsOf(request.requestId)).toHaveLength(1)
      expect(tracker.status().restarts).toBe(0)
    } finally {
      await rig.stopTrackers()
      at.client.close()
      await second.stop()
    }
  })

  it('skips a history that no node has, and finds the open deposits and payouts by their records', async () => {
    const { stop } = rig.track()
    const [first, exited] = [await pay(), await pay()]
    await rig.shows(exited.requestId, pending)
    await stop()
    rig.node.warp({ seconds: exitSeconds + 1 })
    const payout = await rig.payoutOf(rig.depositOf(exited.orderId))
    await rig.send([user], [exitCall(rig.program, payout)])
    const [unseen, lost] = [await pay(), await pay()]
    // The nodes have forgotten the history of the vault, and one record's.
    const record = recordAddress(rig.program, rig.depositOf(lost.orderId))
    const forget = (accounts: readonly unknown[]) =>
      rig.proxy.behave(
        changeResult<readonly unknown[]>('getSignaturesForAddress', (page, [account]) =>
          accounts.includes(account) ? [] : page,
        ),
      )
    forget([rig.vault, record])
    const tracker = rig.track()
    const alarm = 'No RPC endpoint has the history since the cursor; tracking paused'
    await vi.waitFor(() => expect(rig.lines.map(({ msg }) => msg)).toContain(alarm), patience)
    await rig.stopTrackers()
    const { client, store, config, program } = rig
    const deps = { client, store, log: createLog('silent'), now: Date.now }
    const tracked = { chainId: svmChainId, program, genesis: config.genesisHash }
    const cursor = await store.cursor(svmChainId)
    const missing = [{ record, slot: lost.slot }]
    expect(await skipHistory(deps, tracked, { leaves: false })).toMatchObject({
      missing,
      isSaved: false,
    })
    expect(await store.cursor(svmChainId)).toEqual(cursor)
    const skipped = await skipHistory(deps, tracked, { leaves: true })
    expect(skipped).toMatchObject({ missing, isSaved: true })
    expect(await store.cursor(svmChainId)).toMatchObject({ block: { number: skipped.slot } })
    await rig.shows(unseen.requestId, pending)
    await rig.shows(first.requestId, pending)
    expect(await store.depositsOf(exited.requestId)).toMatchObject([{ status: 'refunded' }])
    expect(await rig.stateOf(lost.requestId)).toMatchObject({ status: 'waiting' })
    forget([])
    rig.track()
    const next = await pay()
    await rig.shows(next.requestId, pending)
    expect(tracker.status().restarts).toBeGreaterThan(0)
  })

  it('leaves a transaction that nodes may forget, and reads on from the final slot', async () => {
    const tracker = rig.track()
    const { requestId } = await pay()
    await rig.shows(requestId, pending)
    rig.node.warp({ seconds: 3_601 })
    await vi.waitFor(
      async () =>
        expect(await rig.store.cursor(svmChainId)).toMatchObject({
          block: { number: BigInt(rig.node.finalSlot()), hash: rig.config.genesisHash },
        }),
      patience,
    )
    await tracker.stop()
    const next = await pay()
    rig.track()
    await rig.shows(next.requestId, pending)
    expect(await rig.store.cursor(svmChainId)).toMatchObject({ block: { hash: next.signature } })
  })

  it('skips transactions of versions that it cannot read', async () => {
    const tracker = rig.track()
    await rig.settled(tracker)
    const message = 'Transaction version (1) is not supported by the requesting client.'
    let skipped: unknown
    rig.proxy.behave({
      change: ({ method, params }, answer) => {
        if (method === 'getTransaction') skipped ??= params[0]
        return method === 'getTransaction' && params[0] === skipped
          ? { error: { code: -32_015, message } }
          : answer
      },
    })
    const [first, second] = [await pay(), await pay()]
    await rig.shows(second.requestId, pending)
    expect(skipped).toBe(first.signature)
    expect(await rig.stateOf(first.requestId)).toMatchObject({ status: 'waiting' })
  })
})

describe('a chain with another genesis', () => {
  it('is not tracked, unless it is a devnet, whose old rows are deleted', async () => {
    const first = rig.track()
    const { requestId } = await pay()
    await rig.shows(requestId, pending)
    await first.stop()
    const other = await startDepositoryNode()
    try {
      const at = await rig.connect(other.url)
      const paused = rig.track(rig.store, at, false)
      await vi.waitFor(() => expect(paused.status().hasWrongGenesis).toBe(true), patience)
      await paused.stop()
      expect(await rig.store.depositsOf(requestId)).toHaveLength(1)
      rig.track(rig.store, at, true)
      await rig.shows(requestId, { status: 'failure' })
      expect(await rig.store.depositsOf(requestId)).toEqual([])
      await vi.waitFor(
        async () =>
          expect(await rig.store.cursor(svmChainId)).toMatchObject({
            genesis: at.config.genesisHash,
          }),
        patience,
      )
    } finally {
      await rig.stopTrackers()
      await other.stop()
    }
  })
})

describe('the events of a transaction', () => {
  const times = { seconds: 1, exitSeconds: 2 }

  async function read(signature: SvmSignature) {
    const found = await rig.client.getTransaction(signature, 'finalized')
    if (found === undefined) throw new Error('No transaction')
    const { program, config } = rig
    return { found, tracked: { chainId: svmChainId, program, genesis: config.genesisHash } }
  }

  it('are found where another program called the depository', async () => {
    const { signature } = await pay()
    const { found, tracked } = await read(signature)
    const direct = depositoryEvents(tracked, found, times)
    expect(direct?.deposits).toMatchObject([{ amount: 1_000n, logIndex: 0 }])
    const caller = {
      programId: toPubkey('ComputeBudget111111111111111111111111111111'),
      ...{ accounts: [], data: new Uint8Array(), parent: undefined },
    }
    // Behind two other instructions, and called by the second one.
    const called = found.instructions.map((each) => ({ ...each, parent: (each.parent ?? -1) + 2 }))
    const inner = { ...found, instructions: [caller, caller, ...called] }
    const deposits = direct?.deposits.map((each) => ({ ...each, logIndex: 257 }))
    expect(depositoryEvents(tracked, inner, times)).toEqual({ deposits, payouts: [] })
  })

  it('are none if it failed, and unusable if less moved than it says', async () => {
    const { signature } = await pay()
    const { found, tracked } = await read(signature)
    const none = { deposits: [], payouts: [] }
    expect(depositoryEvents(tracked, { ...found, error: 'failed' }, times)).toEqual(none)
    const elsewhere = { ...tracked, program: toPubkey(user.pubkey) }
    expect(depositoryEvents(elsewhere, found, times)).toEqual(none)
    const [deposit] = found.instructions
    const alone = { ...found, instructions: deposit === undefined ? [] : [deposit] }
    expect(depositoryEvents(tracked, alone, times)).toBeUndefined()
    const { before = 0n, after = 0n } = found.lamports.get(rig.vault) ?? {}
    const less = new Map(found.lamports).set(rig.vault, { before, after: after - 1n })
    expect(depositoryEvents(tracked, { ...found, lamports: less }, times)).toBeUndefined()
  })
})
