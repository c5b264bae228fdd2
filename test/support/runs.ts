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
