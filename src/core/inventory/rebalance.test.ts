import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { runs } from '#test/support/runs.ts'
import { type Move, type Position, rebalance } from './rebalance.ts'

const amount = fc.oneof(
  fc.bigInt(0n, 100n),
  fc.bigInt(0n, 10n ** 24n),
  fc.constantFrom(0n, 10n ** 6n, 10n ** 18n),
)

const positions: fc.Arbitrary<readonly Position[]> = fc
  .array(
    fc.record({
      decimals: fc.constantFrom(0, 6, 8, 18),
      held: amount.map(toAmount),
      incoming: amount.map(toAmount),
      target: amount.map(toAmount),
    }),
    { maxLength: 5 },
  )
  .map((rows) => rows.map((row, at) => ({ ...row, chainId: toChainId(at + 1) })))

const sum = (moves: readonly Move[]): bigint =>
  moves.reduce((total, each) => total + each.amount, 0n)

/** An amount of one position in the smallest unit of another, rounded down. */
const converted = (value: bigint, from: Position, to: Position): bigint =>
  (value * 10n ** BigInt(to.decimals)) / 10n ** BigInt(from.decimals)

/** The positions after the moves, without loss. */
function applied(before: readonly Position[], moves: readonly Move[]): readonly Position[] {
  const find = (chainId: number) => before.find((each) => each.chainId === chainId)
  return before.map((each) => {
    const out = sum(moves.filter(({ from }) => from === each.chainId))
    const added = moves
      .filter(({ to }) => to === each.chainId)
      .reduce((total, move) => {
        const origin = find(move.from)
        return origin === undefined ? total : total + converted(move.amount, origin, each)
      }, 0n)
    return { ...each, held: toAmount(each.held - out + added) }
  })
}

const check = (property: (given: readonly Position[]) => void) =>
  fc.assert(fc.property(positions, property), { numRuns: runs(500) })

describe('advice about the inventory', () => {
  it('moves no more than is held above a target, and no more than is missing', () => {
    check((given) => {
      const moves = rebalance(given)
      const after = applied(given, moves)
      given.forEach((each, at) => {
        const out = sum(moves.filter(({ from }) => from === each.chainId))
        if (out > 0n) expect(out).toBeLessThanOrEqual(each.held - each.target)
        const gained = (after[at]?.held ?? 0n) + out - each.held
        if (gained > 0n) expect(gained).toBeLessThanOrEqual(each.target - each.held - each.incoming)
      })
      for (const move of moves) {
        expect(move.amount).toBeGreaterThan(0n)
        expect(move.from).not.toBe(move.to)
      }
    })
  })

  it('has nothing to add once its moves are made', () => {
    check((given) => {
      expect(rebalance(applied(given, rebalance(given)))).toEqual([])
    })
  })

  it('is the same for any order of the positions, and each time', () => {
    check((given) => {
      expect(rebalance(given.toReversed())).toEqual(rebalance(given))
      expect(rebalance(given)).toEqual(rebalance(given))
    })
  })

  it('leaves a gap open only if nothing is left to close it, or a tenth of the target is not missing', () => {
    check((given) => {
      const after = applied(given, rebalance(given))
      const least = Math.min(...given.map(({ decimals }) => decimals))
      const units = (value: bigint, { decimals }: Position) =>
        value / 10n ** BigInt(decimals - least)
      const spare = after.some((each) => units(each.held - each.target, each) > 0n)
      const gaps = after.filter((each) => {
        const missing = each.target - each.held - each.incoming
        return missing * 10n > each.target && units(missing, each) > 0n
      })
      if (spare) expect(gaps).toEqual([])
    })
  })

  it('closes the largest gap first, from the largest surplus', () => {
    const position = (chainId: number, held: bigint, incoming = 0n): Position => ({
      chainId: toChainId(chainId),
      decimals: 6,
      held: toAmount(held),
      incoming: toAmount(incoming),
      target: toAmount(1_000n),
    })
    const given = [
      position(1, 1_100n),
      position(2, 1_500n),
      position(3, 200n),
      position(4, 500n, 450n),
      position(5, 700n),
    ]
    expect(rebalance(given)).toEqual([
      { from: 2, to: 3, amount: 500n },
      { from: 1, to: 3, amount: 100n },
    ])
    expect(rebalance([position(1, 0n)])).toEqual([])
    expect(rebalance([])).toEqual([])
  })
})
