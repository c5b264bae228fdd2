import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean
    /** The seed of all properties. Undefined: each run draws its own. */
    seed: number | undefined
  }
}

export const isLong = inject('isLong')

/**
 * The number of runs of a property: ten times `full` in `npm run test:long`. Elsewhere it is `full`, or fewer if a run
 * is slow.
 */
export const runs = (full: number, perPush = full): number => (isLong ? 10 * full : perPush)

/** Repetitions of a slow action: `full` in `npm run test:long`, `perPush` elsewhere. */
export const times = (full: number, perPush: number): number => (isLong ? full : perPush)

/**
 * Pairs of a choice and a case: each case with every choice in `npm run test:long`. Elsewhere each case has one choice,
 * in rotation, starting with one that the seed draws.
 */
export function inTurns<Choice, Case>(
  choices: readonly Choice[],
  cases: readonly Case[],
): readonly (readonly [Choice, Case])[] {
  const [first = 0] = fc.sample(fc.nat(choices.length - 1), 1)
  return cases.flatMap((each, at) =>
    choices
      .filter((_, place) => isLong || place === (first + at) % choices.length)
      .map((choice) => [choice, each] as const),
  )
}
