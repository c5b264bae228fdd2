import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether this is `npm run test:long`. */
    isLong: boolean
    /** The seed of all properties; undefined: each run draws its own. */
    seed: number | undefined
  }
}

export const isLong = inject('isLong')

/**
 * The runs of a property: `full` times ten in `npm run test:long`; in `npm test` `full`, or fewer where a run
 * takes much time.
 */
export const runs = (full: number, perPush = full): number => (isLong ? 10 * full : perPush)

/** How often a test does something that takes long: `full` in `npm run test:long`, `perPush` in `npm test`. */
export const times = (full: number, perPush: number): number => (isLong ? full : perPush)

/**
 * Pairs of a choice and a case: each case with every choice in `npm run test:long`. In `npm test` the choices take
 * turns from case to case, beginning with one that the seed draws.
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
