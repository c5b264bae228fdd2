import fc from 'fast-check'
import type { Hash } from 'viem'
import { describe, expect, it } from 'vitest'
import { nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { mayFollow } from '#src/requests/machine.ts'
import type { Batch } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { fundingDepositIds, initialState } from '#src/requests/state/requestState.ts'
import { createFollowedBlocks } from '#src/requests/tracker/followedBlocks.ts'
import { noEvents } from '#src/requests/tracker/read/readEvents.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'
import { runs } from '#test/support/runs.ts'
import { decide } from './decide.ts'
import { isEmptyBatch } from './unitOfWork.ts'

type Block = Readonly<{ number: bigint; hash: Hash; transactions: readonly number[] }>

const chainId = toChainId(990001)
const confirmations = 1
/** Extra confirmations that an incomplete deposit waits for. */
const grace = 10
const rules = { id: chainId, depositConfirmations: confirmations, fillConfirmations: 2 }
const hashOf = (number: number): Hash => `0x${number.toString(16).padStart(64, '0')}`
const other = toAddress(`0x${'0'.repeat(39)}9`)

/** Order ids of two requests for 100 units of the native currency each, or at least 95, and one unknown order id. */
const orders = [hashOf(101), hashOf(102), hashOf(103)] as const
const ordered = toAmount(100n)
const minimum = 95n

/** Deposits for the orders: complete, too small, or in another currency. */
const transactions = (
  [
    [0, nativeAddress, 95n],
    [0, other, 100n],
    [0, nativeAddress, 200n],
    [0, nativeAddress, 100n],
    [1, other, 900n],
    [1, nativeAddress, 94n],
    [1, nativeAddress, 100n],
    [2, nativeAddress, 2n],
  ] as const
).map(([order, currency, amount], at) => ({
  hash: hashOf(at + 1),
  orderId: orders[order],
  currency,
  amount: toAmount(amount),
}))

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      transactions: fc.uniqueArray(fc.nat(transactions.length - 1), { maxLength: 3 }),
      onTop: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(grace + 2)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('reorg' as const), depth: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('moveAway' as const), depth: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const) }) },
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** A small deposit, then a complete one, and a reorg that orphans the complete one after the small one became refundable. */
const bereaving: Step[] = [
  { do: 'mine', transactions: [0], onTop: 1 },
  { do: 'mine', transactions: [2], onTop: 1 },
  { do: 'reorg', depth: 2 },
]

/** The stored rows, and a chain that is followed into them. */
function createModel() {
  const deposits = new Map<string, Deposit>()
  const requests = new Map<string, StoredRequest>(
    orders.slice(0, 2).map((orderId, at) => {
      const quoted = quotedRequest(hashOf(201 + at))
      if (quoted.execution !== 'solver') throw new Error('Not a request for the solver')
      const terms = { depositAmount: ordered, leastDeposit: ordered }
      const inputs = quoted.inputs.map((each) => ({
        ...each,
        ...terms,
        depositCurrency: nativeAddress,
        payoutAmount: quoted.fill.payoutAmount,
      }))
      const minimumAmountOut = toAmount(quoted.amountOut / 2n)
      const request = { ...quoted, orderId, originChainId: chainId, minimumAmountOut, inputs }
      return [quoted.requestId, { ...request, state: initialState(request), version: 1 }]
    }),
  )
  const start: Block = { number: 0n, hash: hashOf(1_000), transactions: [] }
  let made = 1_000
  const chain: Block[] = [start]
  let highest = 0n
  let followed = createFollowedBlocks(start)
  let dueAt: bigint | undefined
  /** Heights of stored rows that may be orphaned. */
  let suspects = new Set<bigint | undefined>()
  /** Requests whose funding deposit was orphaned. */
  const bereft = new Set<string>()

  function save({ requests: changed = [], deposits: put = [], removedDeposits = [] }: Batch) {
    for (const request of changed) {
      const before = requests.get(request.requestId)
      if (before === undefined) throw new Error('No such request')
      expect(request.state.seq - before.state.seq).toBe(1)
      expect(mayFollow(before.state.status, request.state.status)).toBe(true)
      if (fundingDepositIds(before).length > fundingDepositIds(request).length)
        bereft.add(request.requestId)
      requests.set(request.requestId, { ...request, version: request.version })
    }
    for (const { depositId, version } of [...put, ...removedDeposits])
      expect(deposits.get(depositId)?.version ?? 0).toBe(version)
    for (const { depositId } of removedDeposits) deposits.delete(depositId)
    for (const deposit of put)
      deposits.set(deposit.depositId, { ...deposit, version: deposit.version + 1 })
  }

  const decided = (events = noEvents) =>
    decide(
      {
        deposits: [...deposits.values()],
        requests: [...requests.values()],
        transactions: [],
        payments: [],
        outcomes: new Map(),
      },
      { followed, events, processedUntil: undefined },
      { rules, at: 1 },
    )

  function reconcile(block?: Block): void {
    const events = {
      ...noEvents,
      deposits: (block?.transactions ?? []).flatMap((name, logIndex) => {
        const transaction = transactions[name]
        if (block === undefined || transaction === undefined) return []
        const { hash: txHash, ...rest } = transaction
        const { number, hash } = block
        const place = { depositId: `${chainId}:${txHash}`, chainId, txHash, depositor: other }
        const record = { index: 0, exitTime: 1_000_000 }
        return [{ ...rest, ...place, record, block: { number, hash }, logIndex, timestamp: 1 }]
      }),
    }
    const decision = decided(events)
    dueAt = decision.dueAt
    save(decision.batch)
    // Deciding again changes nothing.
    expect(isEmptyBatch(decided(events).batch)).toBe(true)
  }

  function follow(block: Block): void {
    followed.push({ ...block, timestamp: 1n })
    const isDue = dueAt !== undefined && dueAt <= block.number
    if (isDue || suspects.has(block.number) || block.transactions.length > 0) reconcile(block)
  }

  function mine(names: readonly number[], follows = true): void {
    const held = new Set(chain.flatMap((block) => block.transactions))
    made += 1
    const number = BigInt(chain.length)
    const fresh = names.filter((name) => !held.has(name))
    const block = { number, hash: hashOf(made), transactions: fresh }
    chain.push(block)
    if (number > highest) highest = number
    if (follows) follow(block)
  }

  const dropped = (depth: number) => chain.splice(Math.max(1, chain.length - depth))

  function restart(): void {
    followed = createFollowedBlocks(start)
    suspects = new Set([...deposits.values()].map(({ block }) => block?.number))
    dueAt = 0n
    for (const block of chain.slice(1)) follow(block)
  }

  function take(next: Step): void {
    switch (next.do) {
      case 'mine':
        mine(next.transactions)
        for (let block = 0; block < next.onTop; block += 1) mine([])
        break
      case 'reorg':
        followed.undo(dropped(next.depth).reverse())
        reconcile()
        break
      case 'moveAway': {
        // While the tracker is down: the same transactions, each one block later.
        const gone = dropped(next.depth)
        mine([], false)
        for (const block of gone) mine(block.transactions, false)
        restart()
        break
      }
      case 'restart':
        restart()
    }
  }

  return {
    deposits,
    requests,
    bereft,
    take,
    /** Mines until everything is confirmed and the chain is higher than ever before. */
    finish: () => {
      const target = highest + BigInt(confirmations + grace) + 1n
      while (BigInt(chain.length) <= target) mine([])
    },
    held: () => new Set(chain.flatMap((block) => block.transactions)),
  }
}

describe('the decision about deposits, across reorgs and restarts', () => {
  it('depends on the final chain only: one deposit funds each request, all others become refundable', () => {
    const met = { ordered: 0, short: 0, bereft: 0 }
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
        const model = createModel()
        for (const each of steps) model.take(each)
        model.finish()
        const held = [...model.held()].flatMap((name) => transactions[name] ?? [])
        expect([...model.deposits.values()].map(({ txHash }) => txHash).sort()).toEqual(
          held.map(({ hash }) => hash).sort(),
        )
        for (const request of model.requests.values()) {
          const orderId = request.execution === 'solver' ? request.orderId : undefined
          const own = held.filter((each) => each.orderId === orderId)
          const rows = [...model.deposits.values()].filter((each) => each.orderId === orderId)
          const credited = rows.filter(({ status }) => status === 'credited')
          const funding = fundingDepositIds(request)
          const isFunded = funding.length > 0
          // A deposit that became refundable along with the orphaned one does not fund the request later.
          const fundable = own.filter(
            ({ currency, amount }) => currency === nativeAddress && amount >= minimum,
          )
          if (!model.bereft.has(request.requestId)) expect(isFunded).toBe(fundable.length > 0)
          expect(request.state.status).toBe(isFunded ? 'pending' : 'waiting')
          expect(credited.map(({ depositId }) => depositId)).toEqual(funding)
          for (const { currency, amount } of credited) {
            expect(currency === nativeAddress && amount >= minimum).toBe(true)
            met[amount >= ordered ? 'ordered' : 'short'] += 1
          }
          if (fundable.length > 0 && !isFunded) met.bereft += 1
          expect([...request.state.inTxHashes].sort()).toEqual(own.map(({ hash }) => hash).sort())
          for (const { status, reason, depositId, currency, amount } of rows) {
            if (funding.includes(depositId)) continue
            const fault =
              currency === nativeAddress
                ? amount < minimum && 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
                : 'INCORRECT_DEPOSIT_CURRENCY'
            expect(status).toBe('refundable')
            expect(['DOUBLE_SPEND', fault]).toContain(reason)
          }
        }
        for (const { orderId, status, reason } of model.deposits.values())
          if (orderId === orders[2]) expect([status, reason]).toEqual(['refundable', 'UNKNOWN'])
      }),
      { numRuns: runs(500), examples: [[bereaving]] },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  })
})
