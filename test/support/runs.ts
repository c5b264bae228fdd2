import fc from 'fast-check'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** `fast` in `npm test`, `slow` in `npm run test:all`, `long` in `npm run test:long`. */
    mode: string
    /** The seed of all properties. Undefined: each run draws its own. */
    seed: number | undefined
  }
}

export const isLong = inject('mode') === 'long'

/** Whether this is `npm test`: a file of `repeatedFiles` then leaves cases to `npm run test:all`. */
export const isFast = inject('mode') === 'fast'

/**
 * The number of runs of a property: ten times `full` in `npm run test:long`. Elsewhere it is `full`, or fewer if a run
 * is slow.
 */
export const runs = (full: number, perPush = full): number => (isLong ? 10 * full : perPush)

/** Repetitions of a slow action: `full` in `npm run test:long`, `everyDay` in `npm test`, `perPush` elsewhere. */
export function times(full: number, perPush: number, everyDay = perPush): number {
  if (isLong) return full
  return isFast ? everyDay : perPush
}

/**
 * Pairs of a choice and a case. If `hasAll`, each case has every choice. Else each has one, in rotation, starting with
 * one that the seed draws.
 */
export function inTurns<Choice, Case>(
  choices: readonly Choice[],
  cases: readonly Case[],
  hasAll = isLong,
): readonly (readonly [Choice, Case])[] {
  const [first = 0] = fc.sample(fc.nat(choices.length - 1), 1)
  return cases.flatMap((each, at) =>
    choices
      .filter((_, place) => hasAll || place === (first + at) % choices.length)
      .map((choice) => [choice, each] as const),
  )
}
