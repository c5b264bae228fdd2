import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { fundingDepositIds, initialState } from '#src/requests/state/requestState.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { decide } from './decide.ts'

const chainId = toChainId(990001)
const other = toAddress(`0x${'0'.repeat(39)}9`)
const rules = { id: chainId, depositConfirmations: 2, fillConfirmations: 5 }
const grace = 10
const ordered = 100n
/** The smallest deposit that can still pay the minimum output at the quote's rate. */
const minimum = 95n
const deadline = 1_000

type DrawnDeposit = Readonly<{
  height: number
  logIndex?: number
  amount: bigint
  currency?: typeof other
  timestamp?: number
}>

const hashOf = (number: number) => `0x${number.toString(16).padStart(64, '0')}` as const
const blockAt = (height: number) => ({ number: BigInt(height), hash: hashOf(height) })

const depositOf = (
  { height, logIndex = 0, amount, currency = nativeAddress, timestamp = height }: DrawnDeposit,
  at: number,
): Deposit => ({
  depositId: `${chainId}:${hashOf(at + 1)}`,
  record: { index: 0, exitTime: 1_000_000 },
  chainId,
  txHash: hashOf(at + 1),
  block: blockAt(height),
  logIndex,
  timestamp,
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
    depositAmount: toAmount(ordered),
    leastDeposit: toAmount(ordered),
    payoutAmount: drawn.fill.payoutAmount,
  }
  const inputs = drawn.inputs.map((each) => ({ ...each, ...input }))
  const terms = { deadline, minimumAmountOut: toAmount(drawn.amountOut / 4n) }
  const quoted = { ...drawn, ...terms, orderId: hashOf(101), inputs }
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
    refusedDeposit: request.state.refusedDeposit,
    outcomes: deposits.map(({ status, reason }) => reason ?? status),
    funding: deposits.findIndex(({ depositId }) => fundingDepositIds(request).includes(depositId)),
  }
}

const upTo = (height: number) => Array.from({ length: height }, (_, at) => at + 1)

describe('the deposit that funds a request', () => {
  const dust = { height: 1, amount: minimum - 1n }
  const short = { height: 1, amount: minimum }
  const user = { height: 2, amount: ordered }

  it('is the complete one, if dust came before it', () => {
    expect(follow([dust, user], upTo(4))).toMatchObject({
      status: 'pending',
      funding: 1,
      outcomes: ['DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', 'credited'],
    })
  })

  it('is not one in another currency, of any amount', () => {
    const much = { height: 1, amount: 10n ** 30n, currency: other }
    expect(follow([much, user], upTo(4))).toMatchObject({ funding: 1 })
  })

  it('is never one that cannot pay the minimum: it is refunded alone, and the request waits on', () => {
    const wrong = { height: 1, amount: 10n ** 30n, currency: other }
    expect(follow([dust, wrong], upTo(40))).toMatchObject({
      status: 'waiting',
      funding: -1,
      refusedDeposit: 'INCORRECT_DEPOSIT_CURRENCY',
      outcomes: ['DEPOSITED_AMOUNT_TOO_LOW_TO_FILL', 'INCORRECT_DEPOSIT_CURRENCY'],
    })
    const late = { height: 30, amount: ordered }
    const outcome = follow([dust, wrong, late], upTo(40))
    expect(outcome).toMatchObject({ status: 'pending', funding: 2 })
    expect(outcome.refusedDeposit).toBeUndefined()
  })

  it('is any deposit after the deadline, so that the request ends with a refund', () => {
    const late = { ...dust, timestamp: deadline + 1 }
    expect(follow([late], upTo(13))).toMatchObject({ status: 'pending', funding: 0 })
    const wrong = { ...late, currency: other }
    expect(follow([wrong], upTo(13))).toMatchObject({ status: 'pending', funding: 0 })
    const inTime = { ...dust, timestamp: deadline }
    expect(follow([inTime], upTo(13))).toMatchObject({ status: 'waiting', funding: -1 })
  })

  it('is the first complete one, not the largest', () => {
    const larger = { height: 3, amount: 10n * ordered }
    expect(follow([user, larger], [9])).toMatchObject({
      funding: 0,
      outcomes: ['credited', 'DOUBLE_SPEND'],
    })
    expect(follow([user, { ...larger, height: 2 }], [9])).toMatchObject({ funding: 0 })
  })

  it('is one that can pay the minimum ten blocks later, and the tracker is due by then', () => {
    expect(follow([short], upTo(2))).toMatchObject({ dueAt: 3n, outcomes: ['seen'] })
    expect(follow([short], upTo(3))).toMatchObject({ dueAt: 13n, outcomes: ['seen'] })
    expect(follow([short], upTo(12))).toMatchObject({ status: 'waiting', outcomes: ['seen'] })
    expect(follow([short], upTo(13))).toMatchObject({ status: 'pending', outcomes: ['credited'] })
  })

  it('is not an incomplete one while a complete one is seen', () => {
    const late = { height: 12, amount: ordered }
    expect(follow([short, late], upTo(13))).toMatchObject({ dueAt: 14n, funding: -1 })
    expect(follow([short, late], upTo(14))).toMatchObject({ funding: 1 })
  })

  it('is the largest of those that can pay the minimum', () => {
    const more = { height: 1, amount: minimum + 1n }
    const most = { height: 1, amount: 10n ** 30n, currency: other }
    const outcomes = ['DOUBLE_SPEND', 'credited', 'INCORRECT_DEPOSIT_CURRENCY']
    expect(follow([short, more, most], upTo(13))).toMatchObject({ funding: 1, outcomes })
  })

  it('is the first complete one of the chain, for any order of the reads', () => {
    const lists = fc
      .array(
        fc.record({ gap: fc.nat(2), amount: fc.constantFrom(minimum, ordered, 2n * ordered) }),
        {
          minLength: 2,
          maxLength: 6,
        },
      )
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
        amount: fc.constantFrom(1n, minimum, 97n, ordered, 2n * ordered),
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
        const isShort = ({ amount, currency }: DrawnDeposit) =>
          currency === nativeAddress && amount >= minimum && amount < ordered
        const fit = deposits.find(isFit)
        const shorts = deposits.filter(isShort)
        const waited = (shorts[0]?.height ?? Number.POSITIVE_INFINITY) + 2 + grace
        const largest = shorts
          .filter((each) => each.height === shorts[0]?.height)
          .toSorted((one, another) => Number(another.amount - one.amount))[0]
        const isFitInTime = fit !== undefined && fit.height <= waited
        const funds = isFitInTime ? fit : largest
        expect(deposits[funding]).toEqual(funds)
        const fundedAt = isFitInTime ? fit.height + 2 : waited
        expect(outcomes).toEqual(
          deposits.map((each, at) => {
            if (at === funding) return 'credited'
            const isDecided = funds === undefined || each.height + 2 < fundedAt
            if (!isDecided || isShort(each) || isFit(each)) return 'DOUBLE_SPEND'
            return each.currency === nativeAddress
              ? 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
              : 'INCORRECT_DEPOSIT_CURRENCY'
          }),
        )
      }),
      { numRuns: runs(300) },
    )
  })
})
