import type { Hash } from 'viem'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { FundingTerms, QuotedRequest } from '#src/requests/quotedRequest.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { overdueIntervalMs } from '#test/support/patience.ts'
import {
  patience,
  randomId,
  startSecondRig,
  startTrackerRig,
  type TrackerRig,
} from '#test/support/rigs/trackerRig.ts'
import { repeatedHomes } from '#test/support/store/repeatedHomes.ts'
import { depositIdOf } from '#test/support/wallets/depositId.ts'

type Request = Extract<QuotedRequest, { execution: 'solver' }>

describe.each(repeatedHomes)(
  'tracking of multi-input requests on two chains, stored on %s',
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

    /** Stores a request for 1,000 wei of native currency on each chain. Its deadline is 1,000 s after the later chain clock. */
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
        ...input,
        ...least,
        user,
        chainId: config.id,
        depositCurrency: nativeAddress,
      }))
      const now = Math.max(await timeOf(here), await timeOf(there))
      const funding: FundingTerms = { depositDeadline: now + 1_000, partial: true }
      const steps = [approve, deposit, deposit]
      const request = { ...quoted, orderId: randomId(), inputs, steps, funding }
      await here.store.put(request)
      return request
    }

    /** Starts both trackers. Returns a function that mines a block on each chain and lets the trackers process it and expire overdue inputs. */
    function track(): () => Promise<unknown> {
      const trackers = [here.track(), there.track()]
      return () => {
        for (const rig of [here, there]) rig.skipMs(overdueIntervalMs)
        return Promise.all(trackers.map(({ settled }) => settled()))
      }
    }

    const deposit = ({ orderId }: Request, on: TrackerRig, amount?: bigint) =>
      on.send(on.calls.depositNative(orderId, amount))

    /** Moves the chain's clock so that its next block is after the deposit deadline. */
    async function skipDeadline({ funding }: Request, on: TrackerRig): Promise<void> {
      const seconds = (funding?.depositDeadline ?? 0) + 10 - (await timeOf(on))
      await on.anvil.increaseTime({ seconds })
    }

    /** Moves the chain past the deposit deadline and mines enough blocks to confirm every earlier deposit. */
    async function confirmDeadline(request: Request, on: TrackerRig): Promise<void> {
      await skipDeadline(request, on)
      await on.mine([], 3)
    }

    const statusesOf = (request: Request) => here.statuses(request.requestId)
    const funded = { status: 'funded' }
    const expectDeposit = (on: TrackerRig, hash: Hash, expected: object) =>
      vi.waitFor(async () => {
        const id = await depositIdOf(on.anvil, on.config.id, hash)
        const found = await here.store.findDeposits([id])
        expect(found).toMatchObject([expected])
      }, patience)

    it('each deposit confirms its own step, and the request is pending once all are credited', async () => {
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

    it('an input is missed once its own chain passes the deadline, and a late deposit is refundable', async () => {
      const request = await putRequest()
      const mineAndProcess = track()
      await deposit(request, here)
      await here.mine()
      // The clock of another chain does not expire the input.
      await confirmDeadline(request, here)
      await here.shows(request.requestId, { inputStates: [funded, { status: 'open' }] })
      await confirmDeadline(request, there)
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

    it('a short deposit funds its input after the deadline, not before', async () => {
      const request = await putRequest()
      track()
      const short = await deposit(request, here, 999n)
      await here.mine([], 15)
      await deposit(request, there)
      await there.mine()
      await here.shows(request.requestId, { inputStates: [{ status: 'open' }, funded] })
      await confirmDeadline(request, here)
      await here.shows(request.requestId, { status: 'pending', inputStates: [funded, funded] })
      await expectDeposit(here, short.hash, { status: 'credited', amount: 999n })
    })

    it('if every input is missed, the first late deposit is credited so that the request ends with its refund', async () => {
      const request = await putRequest()
      const mineAndProcess = track()
      await confirmDeadline(request, here)
      const late = await deposit(request, here)
      await here.mine()
      await here.shows(request.requestId, { status: 'depositing' })
      await confirmDeadline(request, there)
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

    it('a reorg that removes one deposit of a pending request reopens its input', async () => {
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

    it('a deposit that a reorg moves past the deadline is late and refundable', async () => {
      const request = await putRequest()
      track()
      const first = await deposit(request, here)
      await here.mine()
      await here.shows(request.requestId, { inTxHashes: [first.hash] })
      const signed = await there.sign(there.calls.depositNative(request.orderId))
      await there.mine([signed])
      await here.shows(request.requestId, { inTxHashes: [first.hash, signed.hash] })
      await there.reorg(1)
      await skipDeadline(request, there)
      await there.mine([signed], 3)
      await here.shows(request.requestId, {
        status: 'pending',
        inputStates: [funded, { status: 'missed' }],
      })
      await expectDeposit(there, signed.hash, { status: 'refundable', reason: 'ORDER_EXPIRED' })
    })
  },
)
