const { MODE: mode } = (import.meta as { env?: Readonly<Record<string, string>> }).env ?? {}

/** Whether this is `npm run test:long`. */
export const isLong = mode === 'long'

/**
 * The runs of a property: `full` times ten in `npm run test:long`; in `npm test` `full`, or fewer where a run
 * takes much time.
 */
export const runs = (full: number, perPush = full): number => (isLong ? 10 * full : perPush)
