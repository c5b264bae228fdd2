import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { FundingTerms, QuotedRequest } from '#src/requests/quotedRequest.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { overdueIntervalMs } from '#test/support/patience.ts'
import {
  patience,
  randomId,
  startSecondRig,
  startTrackerRig,
  type TrackerRig,
} from '#test/support/rigs/trackerRig.ts'
import { storeHomes } from '#test/support/store/storeHome.ts'

type Request = Extract<QuotedRequest, { execution: 'solver' }>

describe.each(storeHomes)(
  'deposits of one request on two chains, stored on %s',
  (_, createHome) => {
    let here: TrackerRig
    let there: TrackerRig
    beforeAll(async () => {
      here = await startTrackerRig(createHome)
      there = await startSecondRig(here)
    })
    afterEach(() => Promise.all([here.stopTrackers(), there.stopTrackers()]))
    afterAll(async () => {
      await there.stop()
      await here.stop()
    })

    const timeOf = async ({ anvil }: TrackerRig) => Number((await anvil.getBlock()).timestamp)

    /** For 1,000 of native currency on each chain, within 1,000 seconds of the later clock. */
    async function putRequest(): Promise<Request> {
      const requestId = randomId()
      const quoted = quotedRequest(requestId)
      const [approve, deposit] = quoted.steps
      if (quoted.execution !== 'solver' || approve === undefined || deposit === undefined)
        throw new Error('Not what the solver fills')
      const [input] = quoted.inputs
      if (input === undefined) throw new Error('No input')
      const user = here.accounts.user.address.toLowerCase() as Address
      const least = { depositAmount: toAmount(1_000n), leastDeposit: toAmount(1_000n) }
      const inputs = [here, there].map(({ config }) => ({
        ...{ ...input, ...least, user, chainId: config.id, depositCurrency: nativeAddress },
      }))
      const now = Math.max(await timeOf(here), await timeOf(there))
      const funding: FundingTerms = { depositDeadline: now + 1_000, partial: true }
      const steps = [approve, deposit, deposit]
      const request = { ...quoted, orderId: randomId(), inputs, steps, funding }
      await here.store.put(request)
      return request
    }

    /** A function that mines a block on each chain, and has the trackers process it and all that is overdue. */
    function track(): () => Promise<unknown> {
      const trackers = [here.track(), there.track()]
      return () => {
        for (const rig of [here, there]) rig.skipMs(overdueIntervalMs)
        return Promise.all(trackers.map(({ settled }) => settled()))
      }
    }

    const deposit = ({ orderId }: Request, on: TrackerRig, amount?: bigint) =>
      on.send(on.calls.depositNative(orderId, amount))

    /** The next block of the chain is past the request's time. */
    async function skip({ funding }: Request, on: TrackerRig): Promise<void> {
      const seconds = (funding?.depositDeadline ?? 0) + 10 - (await timeOf(on))
      await on.anvil.increaseTime({ seconds })
    }

    /** And those on top of it are deep enough for those before it to count. */
    async function pass(request: Request, on: TrackerRig): Promise<void> {
      await skip(request, on)
      await on.mine([], 3)
    }

    const statusesOf = (request: Request) => here.statuses(request.requestId)
    const funded = { status: 'funded' }
    const expectDeposit = (on: TrackerRig, hash: string, expected: object) =>
      vi.waitFor(async () => {
        const found = await here.store.findDeposits([`${on.config.id}:${hash}:0`])
        expect(found).toMatchObject([expected])
      }, patience)

    it('each is shown with its own steps; all of them make it pending', async () => {
      const request = await putRequest()
      track()
      const first = await deposit(request, here)
      await here.shows(request.requestId, { status: 'depositing', inTxHashes: [first.hash] })
      await here.mine()
      await here.shows(request.requestId, {
        status: 'depositing',
        inputStates: [funded, { status: 'open' }],
        steps: [[{ status: 'implied' }], [{ status: 'confirmed' }], [{ status: 'waiting' }]],
      })
      const second = await deposit(request, there)
      await there.mine()
      await here.shows(request.requestId, {
        status: 'pending',
        inputStates: [funded, funded],
        inTxHashes: [first.hash, second.hash],
        steps: [[{ status: 'implied' }], [{ status: 'confirmed' }], [{ status: 'confirmed' }]],
      })
      expect(await statusesOf(request)).toEqual([
        'depositing',
        'depositing',
        'depositing',
        'pending',
      ])
      const again = await deposit(request, there)
      await there.mine()
      await expectDeposit(there, again.hash, { status: 'refundable', reason: 'DOUBLE_SPEND' })
    })

    it('one that does not come in time by its own chain’s blocks is missed, and paid back when it comes', async () => {
      const request = await putRequest()
      const mineAndProcess = track()
      await deposit(request, here)
      await here.mine()
      // The time of another chain says nothing.
      await pass(request, here)
      await here.shows(request.requestId, { inputStates: [funded, { status: 'open' }] })
      await pass(request, there)
      await vi.waitFor(async () => {
        await mineAndProcess()
        expect(await here.stateOf(request.requestId)).toMatchObject({
          status: 'pending',
          inputStates: [funded, { status: 'missed' }],
        })
      }, patience)
      const late = await deposit(request, there)
      await there.mine()
      await expectDeposit(there, late.hash, { status: 'refundable', reason: 'ORDER_EXPIRED' })
    })

    it('too little does once the time is up, and no sooner', async () => {
      const request = await putRequest()
      track()
      const short = await deposit(request, here, 999n)
      await here.mine([], 15)
      await deposit(request, there)
      await there.mine()
      await here.shows(request.requestId, { inputStates: [{ status: 'open' }, funded] })
      await pass(request, here)
      await here.shows(request.requestId, { status: 'pending', inputStates: [funded, funded] })
      await expectDeposit(here, short.hash, { status: 'credited', amount: 999n })
    })

    it('where all come too late, one is counted on, so that the request pays it back', async () => {
      const request = await putRequest()
      const mineAndProcess = track()
      await pass(request, here)
      const late = await deposit(request, here)
      await here.mine()
      await here.shows(request.requestId, { status: 'depositing' })
      await pass(request, there)
      const missed = { status: 'missed' }
      await vi.waitFor(async () => {
        await mineAndProcess()
        expect(await here.stateOf(request.requestId)).toMatchObject({
          status: 'pending',
          inputStates: [funded, missed],
        })
      }, patience)
      await expectDeposit(here, late.hash, { status: 'credited' })
      const later = await deposit(request, there)
      await there.mine()
      await expectDeposit(there, later.hash, { status: 'refundable', reason: 'ORDER_EXPIRED' })
    })

    it('one that a reorg takes from a pending request is waited for again', async () => {
      const request = await putRequest()
      track()
      await deposit(request, here)
      await here.mine()
      const signed = await there.sign(there.calls.depositNative(request.orderId))
      await there.mine([signed], 1)
      await here.shows(request.requestId, { status: 'pending' })
      await there.reorg(2)
      await there.mine()
      await here.shows(request.requestId, {
        status: 'depositing',
        inputStates: [funded, { status: 'open' }],
      })
      await there.mine([signed], 1)
      await here.shows(request.requestId, { status: 'pending', inputStates: [funded, funded] })
    })

    it('one that a reorg moves past its deadline comes too late', async () => {
      const request = await putRequest()
      track()
      const first = await deposit(request, here)
      await here.mine()
      await here.shows(request.requestId, { inTxHashes: [first.hash] })
      const signed = await there.sign(there.calls.depositNative(request.orderId))
      await there.mine([signed])
      await here.shows(request.requestId, { inTxHashes: [first.hash, signed.hash] })
      await there.reorg(1)
      await skip(request, there)
      await there.mine([signed], 3)
      await here.shows(request.requestId, {
        status: 'pending',
        inputStates: [funded, { status: 'missed' }],
      })
      await expectDeposit(there, signed.hash, { status: 'refundable', reason: 'ORDER_EXPIRED' })
    })
  },
)
