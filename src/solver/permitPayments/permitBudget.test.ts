import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import type { RevertedPermit } from '#src/requests/permitStore.ts'
import { permitsBlockedUntil } from '#src/requests/permitStore.ts'
import { runs } from '#test/support/runs.ts'
import { createPermitBudget, type PermitUse } from './permitBudget.ts'

const addressOf = (at: number) => toAddress(`0x${`${at}`.padStart(40, '0')}`)
const [alice, bob] = [addressOf(1), addressOf(2)]
const hour = 3_600_000
const now = 100 * hour

const use: PermitUse = {
  payer: alice,
  currency: addressOf(9),
  amount: 50n,
  maxCost: 10n,
  usesAllowance: false,
  setsAllowance: false,
}
const rich = { balance: 10n ** 9n, allowance: 10n ** 9n }

type Facts = Partial<Parameters<typeof createPermitBudget>[0]>
const budgetOf = (facts: Facts = {}) =>
  createPermitBudget({ sent: [], reverts: [], paid: new Map(), maxLoss: 100n, now, ...facts })

const paidBy = (payer: typeof alice, times: number) => new Map([[payer, times]])

describe('the budget of signed permits', () => {
  it('holds for any permits: money and allowance cover all sent ones, and strangers burn no more than the limit', () => {
    const uses = fc.array(
      fc.record({
        payer: fc.integer({ min: 1, max: 4 }).map(addressOf),
        currency: fc.integer({ min: 8, max: 9 }).map(addressOf),
        amount: fc.bigInt(1n, 60n),
        usesAllowance: fc.boolean(),
        setsAllowance: fc.boolean(),
        maxCost: fc.bigInt(1n, 40n),
      }),
      { maxLength: 40 },
    )
    const counts = fc.array(fc.nat(20), { minLength: 5, maxLength: 5 })
    const holding = { balance: 100n, allowance: 80n }
    fc.assert(
      fc.property(uses, counts, fc.bigInt(1n, 100n), (all, counted, maxLoss) => {
        const paid = new Map(counted.map((each, at) => [addressOf(at), each]))
        const budget = budgetOf({ paid, maxLoss })
        const sent: PermitUse[] = []
        for (const each of all) {
          if (budget.hindranceOf(each, holding) !== undefined) continue
          budget.add(each)
          sent.push(each)
        }
        const total = (of: readonly PermitUse[], key: 'amount' | 'maxCost') =>
          of.reduce((found, each) => found + each[key], 0n)
        for (const { payer, currency } of sent) {
          const own = sent.filter((each) => each.payer === payer)
          expect(own.length).toBeLessThanOrEqual(Math.min(16, 1 + (paid.get(payer) ?? 0)))
          const alike = own.filter((each) => each.currency === currency)
          expect(total(alike, 'amount')).toBeLessThanOrEqual(holding.balance)
          const allowed = alike.filter((each) => each.usesAllowance)
          if (allowed.some(({ setsAllowance }) => setsAllowance)) expect(allowed).toHaveLength(1)
          else expect(total(allowed, 'amount')).toBeLessThanOrEqual(holding.allowance)
        }
        const strangers = sent.filter(({ payer }) => (paid.get(payer) ?? 0) === 0)
        if (strangers.length > 1) expect(total(strangers, 'maxCost')).toBeLessThanOrEqual(maxLoss)
      }),
      { numRuns: runs(500) },
    )
  })

  it('sends a second permit of a payer only once the first has paid', () => {
    const [one, other] = [budgetOf(), budgetOf({ paid: paidBy(alice, 1) })]
    for (const budget of [one, other]) budget.add(use)
    expect(one.hindranceOf(use, rich)).toBe('otherPermit')
    expect(one.hindranceOf({ ...use, payer: bob }, rich)).toBeUndefined()
    expect(other.hindranceOf(use, rich)).toBeUndefined()
    expect(other.hindranceOf(use, { ...rich, balance: 99n })).toBe('balance')
  })

  it('sends none while a block has the nonce of another one without its deposit', () => {
    const budget = budgetOf({ sent: [{ ...use, isUsed: true }], paid: paidBy(alice, 9) })
    expect(budget.hindranceOf(use, rich)).toBe('otherPermit')
  })

  it('stops strangers once their reverts have cost the hourly limit, and not those who have paid', () => {
    const reverts: RevertedPermit[] = [{ payer: bob, at: now - hour + 1, cost: 91n }]
    expect(budgetOf({ reverts }).hindranceOf(use, rich)).toBe('budget')
    expect(budgetOf({ reverts, paid: paidBy(alice, 1) }).hindranceOf(use, rich)).toBeUndefined()
    const past = reverts.map((each) => ({ ...each, at: now - hour }))
    expect(budgetOf({ reverts: past }).hindranceOf(use, rich)).toBeUndefined()
    // A first one may always be sent.
    expect(budgetOf({ maxLoss: 1n }).hindranceOf(use, rich)).toBeUndefined()
  })

  it('blocks the payer of a reverted permit for an hour, twice as long each time, and a day at most', () => {
    const reverts = Array.from({ length: 7 }, () => ({ payer: alice, at: now - hour, cost: 0n }))
    const blockOf = (count: number) => permitsBlockedUntil(reverts.slice(0, count)) - (now - hour)
    expect([1, 2, 3, 5, 7].map(blockOf)).toEqual([1, 2, 4, 16, 24].map((hours) => hours * hour))
    expect(permitsBlockedUntil([])).toBe(0)
    const [once, twice] = [reverts.slice(0, 1), reverts.slice(0, 2)]
    expect(budgetOf({ reverts: twice }).hindranceOf(use, rich)).toBe('blocked')
    expect(budgetOf({ reverts: twice }).hindranceOf({ ...use, payer: bob }, rich)).toBeUndefined()
    expect(budgetOf({ reverts: once }).hindranceOf(use, rich)).toBeUndefined()
  })
})
