import type { Hash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import {
  chainId,
  patience,
  randomId,
  startTrackerRig,
  type TrackerRig,
} from '#test/support/rigs/trackerRig.ts'
import { repeatedHomes } from '#test/support/store/repeatedHomes.ts'
import { depositIdOf } from '#test/support/wallets/depositId.ts'

describe.each(repeatedHomes)('tracking of deposits, stored on %s', (_, createHome) => {
  let rig: TrackerRig
  beforeAll(async () => {
    rig = await startTrackerRig(createHome)
    await rig.send(rig.calls.approve(rig.contracts.depository))
    await rig.send(rig.calls.approve(rig.contracts.depository, undefined, rig.currency('DAI')))
  })
  afterEach(() => rig.stopTrackers())
  afterAll(() => rig.stop())

  const idOf = (hash: Hash) => depositIdOf(rig.anvil, chainId, hash)
  const depositsOf = (requestId: string) => rig.store.depositsOf(requestId)
  const pending = { status: 'pending', steps: [[{}], [{ status: 'confirmed' }]] }

  it.each([
    ['native', nativeAddress, 'depositNative'],
    ['an ERC-20', 'usdc', 'depositErc20'],
    ['native by plain payment', nativeAddress, 'plainNative'],
  ] as const)(
    '%s: seen in its first block, credited once it is confirmed',
    async (_name, of, kind) => {
      const depositCurrency = of === 'usdc' ? rig.usdc : of
      const request = await rig.putSolverRequest(depositCurrency)
      rig.track()
      const { hash } = await rig.send(rig.calls[kind](request.orderId))
      const user = rig.accounts.user.address.toLowerCase()
      const depositId = await idOf(hash)
      await rig.shows(request.requestId, {
        status: 'waiting',
        inTxHashes: [hash],
        steps: [[{ status: 'waiting' }], [{ status: 'seen', transaction: { hash } }]],
      })
      expect(await depositsOf(request.requestId)).toMatchObject([
        {
          depositId,
          status: 'seen',
          orderId: request.orderId,
          depositor: user,
          currency: depositCurrency,
          amount: 1_000n,
        },
      ])
      await rig.mine()
      await rig.shows(request.requestId, { ...pending, inTxHashes: [hash] })
      expect(await rig.store.find(request.requestId)).toMatchObject({
        state: { inputStates: [{ status: 'funded', depositId }] },
      })
      expect(await depositsOf(request.requestId)).toMatchObject([{ status: 'credited' }])
      expect(await rig.statuses(request.requestId)).toEqual(['waiting', 'pending'])
    },
  )

  it('a deposit through the router is credited, and the router call is not taken for the user’s own swap', async () => {
    const request = await rig.putSolverRequest(nativeAddress)
    rig.track()
    const { hash } = await rig.send(rig.calls.routedDeposit(request.requestId, request.orderId))
    await rig.mine()
    await rig.shows(request.requestId, { ...pending, inTxHashes: [hash], txHashes: [] })
    expect(await depositsOf(request.requestId)).toMatchObject([{ currency: nativeAddress }])
  })

  it('among several deposits for one order, the complete one is credited and the others are refundable', async () => {
    const request = await rig.putSolverRequest()
    const signed = [
      await rig.sign(rig.calls.depositNative(request.orderId, 9_000n)),
      await rig.sign(rig.calls.depositErc20(request.orderId, 999n), 'user', 1),
      await rig.sign(rig.calls.depositErc20(request.orderId, 1_001n), 'user', 2),
    ]
    rig.track()
    await rig.mine(signed)
    await rig.mine()
    await rig.shows(request.requestId, pending)
    const late = await rig.send(rig.calls.depositErc20(request.orderId))
    await rig.mine()
    await vi.waitFor(async () => {
      const deposits = await depositsOf(request.requestId)
      const outcome = new Map(deposits.map(({ txHash, ...rest }) => [txHash, rest]))
      const all = [...signed, late].map(({ hash }) => outcome.get(hash))
      expect(all).toMatchObject([
        { status: 'refundable', reason: 'DOUBLE_SPEND' },
        { status: 'refundable', reason: 'DOUBLE_SPEND' },
        { status: 'credited' },
        { status: 'refundable', reason: 'DOUBLE_SPEND' },
      ])
    }, patience)
    expect((await rig.stateOf(request.requestId)).inTxHashes).toHaveLength(4)
    expect(
      (await rig.statuses(request.requestId)).filter((each) => each === 'pending'),
    ).not.toEqual([])
  })

  it('a deposit for an unknown order or for an order of another chain is refundable', async () => {
    const foreign = await rig.putSolverRequest(rig.usdc, toChainId(990003))
    rig.track()
    const unknown = await rig.send(rig.calls.depositErc20(randomId()))
    const misplaced = await rig.send(rig.calls.depositErc20(foreign.orderId))
    await rig.mine()
    await vi.waitFor(async () => {
      const ids = await Promise.all([unknown, misplaced].map(({ hash }) => idOf(hash)))
      const deposits = await rig.store.findDeposits(ids)
      expect(
        new Map(deposits.map(({ depositId, status, reason }) => [depositId, [status, reason]])),
      ).toEqual(
        new Map([
          [ids[0], ['refundable', 'UNKNOWN']],
          [ids[1], ['refundable', 'INCORRECT_DEPOSIT_CURRENCY']],
        ]),
      )
    }, patience)
    expect(await rig.stateOf(foreign.requestId)).toMatchObject({ status: 'waiting', seq: 0 })
  })

  it('a stranger’s dust deposit does not prevent the user’s deposit from being credited', async () => {
    const request = await rig.putSolverRequest()
    rig.track()
    const dust = await rig.send(rig.calls.depositNative(request.orderId, 1n), 'other')
    await rig.mine([], 3)
    await rig.shows(request.requestId, { status: 'waiting', inTxHashes: [dust.hash] })
    const own = await rig.send(rig.calls.depositErc20(request.orderId))
    await rig.mine()
    await rig.shows(request.requestId, { ...pending, inTxHashes: [dust.hash, own.hash] })
    expect(await rig.store.find(request.requestId)).toMatchObject({
      state: { inputStates: [{ status: 'funded', depositId: await idOf(own.hash) }] },
    })
    expect(await depositsOf(request.requestId)).toMatchObject([
      { txHash: dust.hash, status: 'refundable', reason: 'INCORRECT_DEPOSIT_CURRENCY' },
      { txHash: own.hash, status: 'credited' },
    ])
    expect(await rig.statuses(request.requestId)).toEqual([
      'waiting',
      'waiting',
      'waiting',
      'pending',
    ])
  })

  it('a deposit in the wrong currency is refunded alone', async () => {
    const request = await rig.putSolverRequest()
    const tracker = rig.track()
    await rig.send(rig.calls.depositErc20(request.orderId, 5n, rig.currency('DAI')))
    await rig.mine([], 20)
    await tracker.settled()
    const refusedDeposit = 'INCORRECT_DEPOSIT_CURRENCY'
    expect(await rig.stateOf(request.requestId)).toMatchObject({
      status: 'waiting',
      refusedDeposit,
    })
    expect(await depositsOf(request.requestId)).toMatchObject([
      { status: 'refundable', reason: refusedDeposit },
    ])
  })

  it('zero amounts, malformed calldata and unsupported currencies are ignored', async () => {
    const [zero, plain, long, strange] = [
      await rig.putSolverRequest(),
      await rig.putSolverRequest(),
      await rig.putSolverRequest(),
      await rig.putSolverRequest(),
    ]
    const tracker = rig.track()
    await rig.send(rig.calls.depositNative(zero.orderId, 0n))
    await rig.send(rig.calls.plainErc20(zero.orderId, 0n))
    await rig.send(rig.calls.plainErc20('0x'))
    await rig.send(rig.calls.plainErc20(`${long.orderId}00`))
    await rig.send(rig.calls.plainErc20(strange.orderId, 1_000n, rig.currency('ACORN')))
    await tracker.settled()
    for (const { requestId } of [zero, plain, long, strange]) {
      expect(await rig.stateOf(requestId)).toMatchObject({ status: 'waiting', seq: 0 })
      expect(await depositsOf(requestId)).toEqual([])
    }
  })

  it('a deposit removed by a reorg reopens its input, and is credited once when it is mined again', async () => {
    const request = await rig.putSolverRequest()
    rig.track()
    const signed = await rig.sign(rig.calls.depositErc20(request.orderId))
    await rig.mine([signed])
    await rig.mine()
    await rig.shows(request.requestId, pending)
    await rig.reorg(2)
    await rig.mine()
    const open = { status: 'waiting', inTxHashes: [], inputStates: [{ status: 'open' }] }
    await rig.shows(request.requestId, open)
    expect(await depositsOf(request.requestId)).toEqual([])
    await rig.mine([signed])
    await rig.mine()
    await rig.shows(request.requestId, pending)
    expect(await depositsOf(request.requestId)).toMatchObject([{ status: 'credited' }])
    expect(await rig.statuses(request.requestId)).toEqual([
      ...['waiting', 'pending', 'waiting', 'waiting', 'pending'],
    ])
  })

  it('an unconfirmed deposit removed by a reorg is deleted', async () => {
    const request = await rig.putSolverRequest()
    rig.track()
    await rig.send(rig.calls.depositErc20(request.orderId))
    await rig.shows(request.requestId, { seq: 1 })
    await rig.reorg(1)
    await rig.mine()
    await rig.shows(request.requestId, { seq: 2, inTxHashes: [], status: 'waiting' })
    expect(await depositsOf(request.requestId)).toEqual([])
  })

  it('a deposit that a reorg moves while no tracker runs is found in its new block', async () => {
    const request = await rig.putSolverRequest()
    const first = rig.track()
    const signed = await rig.sign(rig.calls.depositErc20(request.orderId))
    await rig.mine([signed])
    await rig.mine()
    await rig.shows(request.requestId, pending)
    await first.stop()
    await rig.reorg(2)
    await rig.mine()
    await rig.mine([signed])
    rig.track()
    await rig.mine()
    const { number } = await rig.anvil.getBlock({ blockTag: 'latest' })
    await vi.waitFor(
      async () =>
        expect(await depositsOf(request.requestId)).toMatchObject([
          { status: 'credited', block: { number: number - 1n } },
        ]),
      patience,
    )
    await rig.shows(request.requestId, pending)
  })

  it('a deposit that a reorg removes while no tracker runs reopens its input', async () => {
    const request = await rig.putSolverRequest()
    const first = rig.track()
    await rig.send(rig.calls.depositErc20(request.orderId))
    await rig.mine()
    await rig.shows(request.requestId, pending)
    await first.stop()
    await rig.reorg(2)
    await rig.mine()
    rig.track()
    await rig.mine()
    await rig.shows(request.requestId, { status: 'waiting', inTxHashes: [] })
    expect(await depositsOf(request.requestId)).toEqual([])
  })

  it('shows a reverted deposit once it is confirmed, and not if a reorg removes it before', async () => {
    const { steps, ...rest } = await rig.putSolverRequest()
    const ofOrder = { ...rest, requestId: randomId(), orderId: randomId() }
    // More than the user holds.
    const call = rig.calls.depositErc20(ofOrder.orderId, 2n ** 200n)
    const from = toAddress(rig.accounts.user.address)
    const ownSteps = steps.map((step, at) => ({
      ...step,
      items: step.items.map(({ status, data }) => ({
        status,
        data: at === 0 ? data : { ...data, ...call, from, to: toAddress(call.to) },
      })),
    }))
    await rig.store.put({ ...ofOrder, steps: ownSteps })
    const tracker = rig.track()
    const signed = await rig.sign(call)
    await rig.mine([signed])
    await rig.hint(signed.hash)
    const isRead = ({ method, params }: Readonly<{ method: string; params: readonly unknown[] }>) =>
      method === 'eth_getTransactionByHash' && params[0] === signed.hash
    await vi.waitUntil(() => rig.proxy.calls.some(isRead), patience)
    await rig.reorg(1)
    await tracker.settled()
    await tracker.settled()
    expect(await rig.stateOf(ofOrder.requestId)).toMatchObject({ status: 'waiting', seq: 0 })
    await rig.mine([signed], 1)
    await rig.shows(ofOrder.requestId, {
      status: 'waiting',
      inTxHashes: [],
      steps: [
        [{ status: 'waiting' }],
        [{ status: 'reverted', transaction: { hash: signed.hash } }],
      ],
    })
  })
})
