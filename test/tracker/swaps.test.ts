import { encodeFunctionData, erc20Abi, type Hex } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { executeCall } from '#src/protocol/calls/routerCalls.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'
import { finalityBlocks } from '#test/support/chains/pace.ts'
import { randomId, startTrackerRig, type TrackerRig } from '#test/support/rigs/trackerRig.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'
import type { Call } from '#test/support/wallets/userCalls.ts'

const [home] = storeHomes.slice(-1)
if (home === undefined) throw new Error('There is no store')

describe(`tracking of swaps that users execute themselves, stored on ${home[0]}`, () => {
  let rig: TrackerRig
  beforeAll(async () => {
    rig = await startTrackerRig(home[1])
    await rig.send(rig.calls.approve(rig.contracts.approvalProxy))
  })
  afterEach(() => rig.stopTrackers())
  afterAll(() => rig.stop())

  const native = { originCurrency: nativeAddress, amountIn: 1_000n }
  const untouched = { status: 'waiting', seq: 0, inTxHashes: [], txHashes: [] }
  const put = {
    routed: () => rig.putUserRequest((id) => rig.calls.routed(id), native),
    routedErc20: (fails = false) =>
      rig.putUserRequest((id) => rig.calls.routedErc20(id, 1_000n, fails), usdc()),
    wrap: () => rig.putUserRequest((id) => rig.calls.wrap(id), native),
    unwrap: () =>
      rig.putUserRequest((id) => rig.calls.unwrap(id), {
        originCurrency: rig.contracts.wrappedNative,
        amountIn: 1_000n,
      }),
    erc20Send: () => rig.putUserRequest((id) => rig.calls.erc20Send(id), usdc()),
    nativeSend: (value: bigint) =>
      rig.putUserRequest(() => rig.calls.nativeSend(value), { ...native, amountIn: value }),
  }
  const usdc = () => ({ originCurrency: rig.usdc, amountIn: 1_000n })
  const mainCall = (request: Awaited<ReturnType<typeof put.wrap>>): Call => {
    const data = request.steps.at(-1)?.items.at(-1)?.data
    if (data === undefined) throw new Error('No step')
    return data
  }

  it.each(['routed', 'routedErc20', 'wrap', 'unwrap', 'erc20Send'] as const)(
    '%s: found by its logs, successful once it is confirmed',
    async (kind) => {
      const request = await put[kind]()
      rig.track()
      const { hash } = await rig.send(mainCall(request))
      await rig.shows(request.requestId, {
        status: 'pending',
        inTxHashes: [hash],
        txHashes: [hash],
        steps: [[{ status: 'seen' }]],
      })
      await rig.mine([], 1)
      await rig.shows(request.requestId, { status: 'success', steps: [[{ status: 'confirmed' }]] })
      expect(await rig.statuses(request.requestId)).toEqual(['pending', 'success'])
    },
  )

  it('a native send is found only by a hint, sent before or after it is mined', async () => {
    const [early, late] = [await put.nativeSend(11n), await put.nativeSend(12n)]
    const tracker = rig.track()
    const signed = [await rig.sign(mainCall(early)), await rig.sign(mainCall(late), 'user', 1)]
    const [first, second] = signed
    await rig.hint(first?.hash ?? '0x', early.requestId)
    await rig.mine(signed)
    await rig.shows(early.requestId, { status: 'pending', inTxHashes: [first?.hash] })
    await tracker.settled()
    await tracker.settled()
    await tracker.settled()
    expect(await rig.stateOf(late.requestId)).toMatchObject(untouched)
    await rig.hint(second?.hash ?? '0x')
    await rig.shows(late.requestId, { status: 'success', txHashes: [second?.hash] })
    await rig.shows(early.requestId, { status: 'success' })
    expect(await rig.statuses(late.requestId)).toEqual(['pending', 'success'])
  })

  it('one native send fulfils only one of several requests that were hinted', async () => {
    const requests = [await put.nativeSend(21n), await put.nativeSend(21n)]
    const tracker = rig.track()
    const { hash } = await rig.send(rig.calls.nativeSend(21n))
    for (const { requestId } of requests) await rig.hint(hash, requestId)
    for (let block = 0; block < 4; block += 1) await tracker.settled()
    const states = await Promise.all(requests.map(({ requestId }) => rig.stateOf(requestId)))
    expect(states.map(({ status }) => status).sort()).toEqual(['success', 'waiting'])
  })

  it('a reverted swap is found by a hint, and fails the request once it is confirmed', async () => {
    const request = await put.routedErc20(true)
    rig.track()
    const { hash } = await rig.send(mainCall(request))
    await rig.hint(hash, request.requestId)
    await rig.shows(request.requestId, { status: 'pending' })
    await rig.mine([], 1)
    await rig.shows(request.requestId, {
      status: 'failure',
      failReason: 'TRANSACTION_REVERTED',
      inTxHashes: [hash],
      txHashes: [],
    })
  })

  it('an approval is found by a hint: seen, then confirmed', async () => {
    const approval = rig.calls.approve(rig.contracts.approvalProxy, 77n)
    const request = await rig.putUserRequest((id) => rig.calls.routedErc20(id, 77n), {
      originCurrency: rig.usdc,
      amountIn: 77n,
      approval,
    })
    rig.track()
    const { hash } = await rig.send(approval)
    await rig.hint(hash, request.requestId)
    await rig.shows(request.requestId, {
      steps: [[{ status: 'seen', transaction: { hash } }], [{}]],
    })
    await rig.mine()
    await rig.shows(request.requestId, {
      status: 'waiting',
      steps: [[{ status: 'confirmed' }], [{}]],
    })
    await rig.send(rig.calls.approve(rig.contracts.approvalProxy))
  })

  it('a hint of a transaction that does not match the request changes nothing', async () => {
    const [send, routed, deposit] = [
      await put.nativeSend(31n),
      await put.routed(),
      await rig.putSolverRequest(),
    ]
    const tracker = rig.track()
    const others = [
      await rig.send(rig.calls.nativeSend(32n)),
      await rig.send(rig.calls.nativeSend(31n), 'other'),
      await rig.send(rig.calls.routed(randomId())),
      await rig.send(rig.calls.depositNative(randomId())),
    ]
    for (const { requestId } of [send, routed, deposit])
      for (const { hash } of [...others, { hash: randomId() }]) await rig.hint(hash, requestId)
    await rig.hint(randomId())
    for (let block = 0; block < 4; block += 1) await tracker.settled()
    for (const { requestId } of [send, routed, deposit])
      expect(await rig.stateOf(requestId)).toMatchObject(untouched)
  })

  it('a router call with a request id counts only if the user sends the quoted call', async () => {
    const [request, ofUsdc] = [await put.routed(), await put.routedErc20()]
    const tracker = rig.track()
    const carried = mainCall(request).data.slice(2)
    const metadata: Hex = request.requestId
    const nothing = encodeFunctionData({
      abi: router.abi,
      functionName: 'multicall',
      args: [[], rig.accounts.other.address, rig.accounts.other.address, metadata],
    })
    // Forgeries: the quoted calldata from another sender; the user's with another value; an empty router call
    // with the request id; and such a call with the quoted calldata appended.
    const forged = [
      await rig.send(mainCall(request), 'other'),
      await rig.send({ ...mainCall(request), value: 1n }),
      await rig.send({ to: rig.contracts.router, data: nothing, value: 0n }, 'other'),
      await rig.send(
        { to: rig.contracts.router, data: `${nothing}${carried}`, value: 1n },
        'other',
      ),
    ]
    // Also in the transaction: a zero-amount transferFrom the user, which anybody can make.
    const empty = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'transferFrom',
      args: [rig.accounts.user.address, rig.accounts.other.address, 0n],
    })
    const execution = executeCall(rig.contracts.router, {
      id: ofUsdc.requestId,
      txs: [{ to: rig.usdc, value: toAmount(0n), data: empty }],
      currency: nativeAddress,
      minimum: 0n,
      returned: [],
      recipient: toAddress(rig.accounts.other.address),
    })
    const withEmpty = encodeFunctionData({
      abi: router.abi,
      functionName: 'multicall',
      args: [[execution], rig.accounts.other.address, rig.accounts.other.address, ofUsdc.requestId],
    })
    const behind = `${withEmpty}${mainCall(ofUsdc).data.slice(2)}` as const
    forged.push(await rig.send({ to: rig.contracts.router, data: behind, value: 0n }, 'other'))
    const receipts = await Promise.all(
      forged.map(({ hash }) => rig.anvil.getTransactionReceipt({ hash })),
    )
    expect(receipts.map(({ status, logs }) => [status, logs.length > 0])).toEqual(
      forged.map(() => ['success', true]),
    )
    for (const { hash } of forged) await rig.hint(hash, request.requestId)
    for (let block = 0; block < 4; block += 1) await tracker.settled()
    for (const { requestId } of [request, ofUsdc])
      expect(await rig.stateOf(requestId)).toMatchObject(untouched)
    await rig.send(mainCall(request))
    await rig.shows(request.requestId, { status: 'pending' })
  })

  it('a swap removed by a reorg returns its request to waiting, and counts once it is mined again', async () => {
    const [request, send] = [await put.wrap(), await put.nativeSend(41n)]
    rig.track()
    const signed = [await rig.sign(mainCall(request)), await rig.sign(mainCall(send), 'user', 1)]
    await rig.mine(signed)
    await rig.hint(signed[1]?.hash ?? '0x', send.requestId)
    await rig.shows(request.requestId, { status: 'pending' })
    await rig.shows(send.requestId, { status: 'pending' })
    await rig.reorg(1)
    await rig.mine()
    await rig.shows(request.requestId, { status: 'waiting', inTxHashes: [], txHashes: [] })
    await rig.shows(send.requestId, { status: 'waiting', inTxHashes: [] })
    await rig.mine(signed, 2)
    // The native send needs no second hint.
    for (const { requestId } of [request, send]) {
      await rig.shows(requestId, { status: 'success' })
      expect(await rig.statuses(requestId)).toEqual(['pending', 'waiting', 'pending', 'success'])
    }
  })

  it('a hint finds a missed deposit even below the cursor', async () => {
    const request = await rig.putSolverRequest(nativeAddress)
    const { hash } = await rig.send(rig.calls.depositNative(request.orderId))
    await rig.anvil.mine({ blocks: finalityBlocks + 6 })
    const first = rig.track()
    await first.settled()
    await first.stop()
    const { number, hash: blockHash } = await rig.anvil.getBlock({ blockTag: 'finalized' })
    const cursor = await rig.store.cursor(rig.config.id)
    if (cursor === undefined) throw new Error('No cursor')
    // Deletes the deposit from the store, as if the tracker had missed it.
    const known = await rig.store.depositsOf(request.requestId)
    await rig.store.save({
      removedDeposits: known,
      cursor: { ...cursor, block: { number, hash: blockHash } },
    })
    const later = await rig.putSolverRequest(nativeAddress)
    const missed = await rig.send(rig.calls.depositNative(later.orderId))
    // It is then below the 64 blocks that a tracker searches again when it starts.
    await rig.anvil.mine({ blocks: finalityBlocks + 70 })
    const head = await rig.anvil.getBlock({ blockTag: 'finalized' })
    await rig.store.save({ cursor: { ...cursor, block: { number: head.number, hash: head.hash } } })
    const tracker = rig.track()
    await tracker.settled()
    expect(await rig.stateOf(later.requestId)).toMatchObject(untouched)
    await rig.hint(missed.hash)
    await rig.hint(hash)
    await rig.shows(later.requestId, { status: 'pending', inTxHashes: [missed.hash] })
  })
})
