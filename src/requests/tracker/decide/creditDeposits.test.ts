import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { fundingDepositIds, initialState } from '#src/requests/state/requestState.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { nativeAddress, toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { decide } from './decide.ts'

const chainId = toChainId(990001)
const other = toAddress(`0x${'0'.repeat(39)}9`)
const rules = { id: chainId, depositConfirmations: 2, fillConfirmations: 5 }
const grace = 10
const ordered = 100n

type DrawnDeposit = Readonly<{
  height: number
  logIndex?: number
  amount: bigint
  currency?: typeof other
}>

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const blockAt = (height: number) => ({ number: BigInt(height), hash: hashOf(height) })

const depositOf = (
  { height, logIndex = 0, amount, currency = nativeAddress }: DrawnDeposit,
  at: number,
): Deposit => ({
  depositId: `${chainId}:${hashOf(at + 1)}`,
  record: { index: 0, exitTime: 1_000_000 },
  chainId,
  txHash: hashOf(at + 1),
  block: blockAt(height),
  logIndex,
  timestamp: height,
  orderId: hashOf(101),
  requestId: hashOf(102),
  depositor: other,
  currency,
  amount: toAmount(amount),
  status: 'seen',
  version: 1,
})

/** Decides at each of the heights, with the deposits up to that height in chain order. */
function follow(drawnDeposits: readonly DrawnDeposit[], heights: readonly number[]) {
  const drawn = quotedRequest(hashOf(102))
  if (drawn.execution !== 'solver') throw new Error('Not a request for the solver')
  const input = {
    depositCurrency: nativeAddress,
    depositAmount: toAmount(2n * ordered),
    leastDeposit: toAmount(ordered),
  }
  const inputs = drawn.inputs.map((each) => ({ ...each, ...input }))
  const quoted = { ...drawn, orderId: hashOf(101), inputs }
  let request: StoredRequest = { ...quoted, state: initialState(quoted), version: 1 }
  let deposits = drawnDeposits.map(depositOf)
  let dueAt: bigint | undefined
  const followed = createFollowedBlocks(blockAt(0))
  for (const height of heights) {
    while (followed.head().number < height)
      followed.push({ ...blockAt(Number(followed.head().number) + 1), timestamp: 1n })
    const held = deposits.filter(({ block }) => Number(block?.number) <= height)
    const stored = { deposits: held, requests: [request] }
    const rest = { transactions: [], payments: [], outcomes: new Map() }
    const decision = decide(
      { ...stored, ...rest },
      { followed, events: noEvents, processedUntil: undefined },
      { rules, at: 1 },
    )
    dueAt = decision.dueAt
    request = decision.batch.requests?.at(-1) ?? request
    const changed = new Map(decision.batch.deposits?.map((each) => [each.depositId, each]))
    deposits = deposits.map((each) => changed.get(each.depositId) ?? each)
  }
  return {
    dueAt,
    status: request.state.status,
    outcomes: deposits.map(({ status, reason }) => reason ?? status),
    funding: deposits.findIndex(({ depositId }) => fundingDepositIds(request).includes(depositId)),
  }
}

const upTo = (height: number) => Array.from({ length: height }, (_, at) => at + 1)

describe('the deposit that funds a request', () => {
  const dust = { height: 1, amount: 1n }
  const user = { height: 2, amount: ordered }

  it('is the complete one, if dust came before it', () => {
    expect(follow([dust, user], upTo(4))).toMatchObject({
      ...{ status: 'pending', funding: 1, outcomes: ['DOUBLE_SPEND', 'credited'] },
    })
  })

  it('is not one in another currency, of any amount', () => {
    const much = { height: 1, amount: 10n ** 30n, currency: other }
    expect(follow([much, user], upTo(4))).toMatchObject({ funding: 1 })
  })

  it('is the first complete one, not the largest', () => {
    const larger = { height: 3, amount: 10n * ordered }
    expect(follow([user, larger], [9])).toMatchObject({
      ...{ funding: 0, outcomes: ['credited', 'DOUBLE_SPEND'] },
    })
    expect(follow([user, { ...larger, height: 2 }], [9])).toMatchObject({ funding: 0 })
  })

  it('is an incomplete one ten blocks later, and the tracker is due by then', () => {
    expect(follow([dust], upTo(2))).toMatchObject({ dueAt: 3n, outcomes: ['seen'] })
    expect(follow([dust], upTo(3))).toMatchObject({ dueAt: 13n, outcomes: ['seen'] })
    expect(follow([dust], upTo(12))).toMatchObject({ status: 'waiting', outcomes: ['seen'] })
    expect(follow([dust], upTo(13))).toMatchObject({ status: 'pending', outcomes: ['credited'] })
  })

  it('is not an incomplete one while a complete one is seen', () => {
    const late = { height: 12, amount: ordered }
    expect(follow([dust, late], upTo(13))).toMatchObject({ dueAt: 14n, funding: -1 })
    expect(follow([dust, late], upTo(14))).toMatchObject({ funding: 1 })
  })

  it('is an incomplete one in the right currency before others, then the largest', () => {
    const [more, most] = [
      { height: 1, amount: 2n },
      { height: 1, amount: 10n ** 30n, currency: other },
    ]
    const outcomes = ['DOUBLE_SPEND', 'credited', 'DOUBLE_SPEND']
    expect(follow([dust, more, most], upTo(13))).toMatchObject({ funding: 1, outcomes })
  })

  it('is the first complete one of the chain, for any order of the reads', () => {
    const lists = fc
      .array(fc.record({ gap: fc.nat(2), amount: fc.constantFrom(1n, ordered, 2n * ordered) }), {
        minLength: 2,
        maxLength: 6,
      })
      .map((drawn) => {
        let height = 1
        return drawn.map(({ gap, amount }, logIndex) => {
          height += gap
          return { height, logIndex, amount }
        })
      })
      .chain((chain) =>
        fc
          .shuffledSubarray(chain, { minLength: chain.length })
          .map((read) => [chain, read] as const),
      )
    fc.assert(
      fc.property(lists, fc.boolean(), ([chain, read], isLate) => {
        const isFit = ({ amount }: DrawnDeposit) => amount >= ordered
        const first = chain.find(isFit) ?? chain[0]
        const last = 2 * chain.length + 2 + grace
        const { funding } = follow(read, isLate ? [last] : upTo(last))
        expect(read[funding]).toEqual(first)
      }),
      {
        numRuns: runs(300),
        examples: [
          [
            [
              [
                { height: 1, logIndex: 0, amount: ordered },
                { height: 1, logIndex: 1, amount: ordered },
              ],
              [
                { height: 1, logIndex: 1, amount: ordered },
                { height: 1, logIndex: 0, amount: ordered },
              ],
            ],
            true,
          ],
        ],
      },
    )
  })

  it('follows these rules in any chain', () => {
    const lists = fc.array(
      fc.record({
        gap: fc.oneof(fc.nat(2), fc.nat(14)),
        amount: fc.constantFrom(1n, 50n, ordered, 2n * ordered),
        currency: fc.constantFrom(nativeAddress, nativeAddress, other),
      }),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(lists, (drawn) => {
        let height = 1
        const deposits = drawn.map(({ gap, ...rest }) => {
          height += gap
          return { ...rest, height }
        })
        const { funding, outcomes } = follow(deposits, upTo(height + 2 + grace))
        const isFit = ({ amount, currency }: DrawnDeposit) =>
          currency === nativeAddress && amount >= ordered
        const fit = deposits.findIndex(isFit)
        const unfit = deposits.filter((each) => !isFit(each))
        const waited = (unfit[0]?.height ?? Number.POSITIVE_INFINITY) + 2 + grace
        if (fit >= 0 && (deposits[fit]?.height ?? 0) <= waited) expect(funding).toBe(fit)
        else {
          const first = unfit.filter((each) => each.height === unfit[0]?.height)
          const best = first.toSorted(
            (one, another) =>
              Number(another.currency === nativeAddress) - Number(one.currency === nativeAddress) ||
              Number(another.amount - one.amount),
          )[0]
          expect(deposits[funding]).toEqual(best)
        }
        expect(outcomes).toEqual(
          deposits.map((_, at) => (at === funding ? 'credited' : 'DOUBLE_SPEND')),
        )
      }),
      { numRuns: runs(300) },
    )
  })
})
