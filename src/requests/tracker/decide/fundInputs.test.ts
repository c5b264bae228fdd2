import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import {
  another,
  confirmations,
  createMultiInputModel,
  currency,
  first,
  inputs,
  type ModelDeposit,
  one,
  second,
  stranger,
  two,
  until,
} from '#test/support/models/multiInputModel.ts'
import { createMultiInputSolver } from '#test/support/models/multiInputSolver.ts'
import { runs } from '#test/support/runs.ts'

/** Large and small deposits, by the users or a stranger, in the right currency or another. */
const brought = (
  [
    [one, currency, 110n],
    [one, currency, 60n],
    [one, currency, 70n],
    [one, currency, 30n],
    [two, currency, 100n],
    [two, currency, 20n],
    [two, another, 500n],
    [stranger, currency, 100n],
    [stranger, another, 5n],
    [one, currency, 10n],
    [one, currency, 3n],
    [one, another, 50n],
  ] as const
).map(([depositor, of, amount], name): ModelDeposit => ({ name, depositor, currency: of, amount }))

const chainIds = [first, second] as const
const chain = fc.nat(1)
const names = fc.uniqueArray(fc.nat(brought.length - 1), { maxLength: 3 })
const seconds = fc.constantFrom(0, 1, 10, 30)

const stepsOf = (depth: number) =>
  fc.array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({ do: fc.constant('mine' as const), chain, names, seconds }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          do: fc.constantFrom('reconcile' as const, 'leaveUnread' as const),
          chain,
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({ do: fc.constant('race' as const), chain, names, seconds }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          do: fc.constant('reorg' as const),
          chain,
          depth: fc.integer({ min: 1, max: depth }),
        }),
      },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), chain }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant('solve' as const), chain }) },
    ),
    { maxLength: 30 },
  )
type Step = ReturnType<typeof stepsOf> extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never

function createRun(solves: 'fill' | 'giveUp' | undefined) {
  const model = createMultiInputModel()
  const solver = createMultiInputSolver(model)
  const chains = chainIds.map(model.chain)
  const of = (at: number) => chains[at] as (typeof chains)[number]
  const destination = model.chain(solver.destination)
  const pick = (all: readonly number[]) => all.flatMap((name) => brought[name] ?? [])

  function solve(at: number): void {
    if (solves === undefined) return
    solver[solves]()
    solver.refund(of(at).chainId)
  }

  function take(step: Step): void {
    const own = of(step.chain)
    switch (step.do) {
      case 'mine':
        own.mine(pick(step.names), step.seconds, solver.sentOn(own.chainId))
        break
      case 'reconcile':
        own.reconcile()
        break
      case 'leaveUnread':
        own.reconcileUnread()
        break
      case 'race': {
        const other = of(1 - step.chain)
        const save = own.begin()
        other.mine(pick(step.names), step.seconds, solver.sentOn(other.chainId))
        other.reconcile()
        solve(step.chain)
        save()
        break
      }
      case 'reorg':
        own.reorg(step.depth)
        break
      case 'restart':
        own.restart()
        break
      case 'solve':
        solve(step.chain)
    }
  }

  return {
    model,
    take,
    /** Mines past all confirmations and the deadline, until the solver has nothing left to do. */
    finish: () => {
      for (let times = 0; times < 20; times += 1) {
        for (const [at, each] of chains.entries()) {
          each.mine([], 20, solver.sentOn(each.chainId))
          each.reconcile()
          solve(at)
        }
        destination.mine([], 20, solver.sentOn(destination.chainId))
        destination.reconcile()
      }
    },
    held: () => chains.flatMap((each) => each.held().map((deposit) => ({ ...deposit }))),
  }
}

/** Deposits one after the other, each confirmed before the next. */
const mined = (at: number, all: readonly number[]): readonly Step[] =>
  all.flatMap((name): Step[] => [
    { do: 'mine', chain: at, names: [name], seconds: 1 },
    ...Array.from({ length: confirmations }, (): Step => {
      return { do: 'mine', chain: at, names: [], seconds: 1 }
    }),
    { do: 'reconcile', chain: at },
  ])
const preludes = [
  [],
  [...mined(0, [0, 1, 4]), ...mined(1, [9])],
  [...mined(1, [9]), ...mined(0, [4, 3, 6, 0, 1])],
] as const

/** Mostly reorgs, with the solver working in between. */
const endings = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('solve' as const, 'reconcile' as const), chain }),
    fc.record({ do: fc.constant('mine' as const), chain, names, seconds: fc.constantFrom(1, 30) }),
    fc.record({
      do: fc.constant('reorg' as const),
      chain,
      depth: fc.integer({ min: 1, max: 12 }),
    }),
  ),
  { maxLength: 12 },
)

/** The deadline has passed by the confirmed blocks, but the timely deposits are in a block that is still unread. */
const unreadInTime: Step[] = [
  { do: 'mine', chain: 0, names: [0, 1, 4], seconds: 1 },
  ...Array.from({ length: 2 + confirmations }, (): Step => {
    return { do: 'mine', chain: 0, names: [], seconds: 30 }
  }),
  { do: 'leaveUnread', chain: 0 },
]

const wrongCurrency: Step[] = [{ do: 'mine', chain: 0, names: [11], seconds: 1 }]
const lives = fc.oneof(
  stepsOf(6),
  fc
    .tuple(fc.constantFrom<readonly Step[]>(...preludes), endings)
    .map(([prelude, ending]): readonly Step[] => [...prelude, ...ending]),
)

const rowsById = (deposits: readonly Deposit[]) =>
  new Map(deposits.map((each) => [each.depositId, each]))

describe('a multi-input request on two chains, in any order of events', () => {
  it('is funded by timely complete deposits, and after the deadline by incomplete ones', () => {
    const met = { ordered: 0, short: 0, lost: 0, missed: 0, nothing: 0 }
    fc.assert(
      fc.property(stepsOf(confirmations), (steps) => {
        const run = createRun(undefined)
        for (const step of steps) run.take(step)
        run.finish()
        const held = run.held()
        const rows = rowsById(run.model.deposits())
        expect([...rows.keys()].sort()).toEqual(held.map(({ depositId }) => depositId).sort())
        const request = run.model.request()
        const { inputStates, status } = request.state
        const counted = fundingDepositIds(request)
        expect(new Set(counted).size).toBe(counted.length)
        for (const { depositId, status } of rows.values())
          expect(status).toBe(counted.includes(depositId) ? 'credited' : 'refundable')

        const isTimely = ({ timestamp }: Pick<Deposit, 'timestamp'>) => timestamp <= until
        const isFit = (at: number, { currency: of, amount, ...rest }: Deposit) =>
          of === currency && isTimely(rest) && amount >= (inputs[at]?.leastDeposit ?? 0n)
        const fundedBy = (at: number) => {
          const funding = inputStates[at]
          return funding?.status === 'funded' ? rows.get(funding.depositId) : undefined
        }
        const timely = (chainId: number, depositor: typeof one) =>
          held.filter(
            (each) =>
              each.chainId === chainId &&
              each.depositor === depositor &&
              isTimely(each) &&
              each.currency === currency,
          )
        const expectOrdered = (at: number) => {
          const deposit = fundedBy(at)
          expect(deposit !== undefined && isFit(at, deposit)).toBe(true)
        }
        const [ones, twos, others] = [timely(first, one), timely(first, two), timely(second, one)]
        const enough = (all: typeof ones, minimum: bigint) =>
          all.filter(({ amount }) => amount >= minimum).length
        if (enough(ones, 100n) > 0 && enough(ones, 60n) > 1) [0, 1].forEach(expectOrdered)
        if (enough(twos, 100n) > 0) expectOrdered(2)
        if (enough(others, 10n) > 0) expectOrdered(3)
        for (const [at, own] of [
          [2, twos],
          [3, others],
        ] as const)
          if (own.length > 0) expect(fundedBy(at)?.currency).toBe(currency)

        for (const [at, { status: of }] of inputStates.entries()) {
          const deposit = fundedBy(at)
          if (of === 'missed') met.missed += 1
          if (deposit === undefined) continue
          const isLost = deposit.currency !== currency || !isTimely(deposit)
          if (isLost) expect(counted).toHaveLength(1)
          if (isLost) met.lost += 1
          else met[isFit(at, deposit) ? 'ordered' : 'short'] += 1
        }
        const isPayable = ({ depositor, currency: of, chainId }: Deposit) =>
          of === currency || (depositor !== stranger && (chainId === first || depositor === one))
        if ([...rows.values()].some(isPayable)) {
          expect(status).toBe('pending')
          expect(inputStates.some((each) => each.status === 'open')).toBe(false)
        } else {
          expect(counted).toEqual([])
          met.nothing += 1
        }
        expect([...request.state.inTxHashes].sort()).toEqual(
          [...rows.values()]
            .filter(isPayable)
            .map(({ txHash }) => txHash)
            .sort(),
        )
      }),
      { numRuns: runs(1_000, 250), examples: [[unreadInTime], [wrongCurrency]] },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  })

  it('fills or refunds each deposit exactly once, across reorgs', () => {
    const met = { filled: 0, refunded: 0, several: 0 }
    fc.assert(
      fc.property(lives, fc.constantFrom('fill', 'giveUp'), (steps, solves) => {
        const run = createRun(solves)
        for (const step of steps) run.take(step)
        run.finish()
        const paid = run.model
          .transactions()
          .flatMap(({ depositIds, purpose }) => depositIds.map((depositId) => [depositId, purpose]))
        expect(new Set(paid.map(([depositId]) => depositId)).size).toBe(paid.length)
        const ends = new Map(paid.map(([depositId, purpose]) => [depositId, purpose]))
        const { state } = run.model.request()
        for (const { depositId, status } of run.model.deposits()) {
          expect(status).toBe(ends.get(depositId) === 'fill' ? 'filled' : 'refunded')
          if (status === 'filled') met.filled += 1
          else met.refunded += 1
        }
        const fills = run.model.transactions().filter(({ purpose }) => purpose === 'fill')
        expect(fills.length).toBeLessThan(2)
        if (fills.length > 0) expect(state.status).toBe('success')
        if ((fills[0]?.depositIds.length ?? 0) > 1) met.several += 1
        // No funding deposit is left over at the end.
        if (state.status !== 'success' && run.model.deposits().length > 0)
          expect(['refund', 'depositing', 'waiting']).toContain(state.status)
        if (state.status === 'depositing' || state.status === 'waiting')
          expect(fundingDepositIds(run.model.request())).toEqual([])
      }),
      { numRuns: runs(2_000, 250) },
    )
    expect(Object.values(met).every((times) => times > 0)).toBe(true)
  })
})
