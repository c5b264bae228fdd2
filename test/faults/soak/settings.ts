import { randomInt } from 'node:crypto'
import { isLong } from '#test/support/runs.ts'

// biome-ignore lint/style/noProcessEnv: whoever runs the soak sets these.
const variables = process.env
const given = variables['SOAK_SECONDS']

/** `npm run test:long` runs it for ten minutes; SOAK_SECONDS runs it at any time, for so long. */
export const isSoaking = isLong || given !== undefined
export const soakSeconds = Number(given ?? 600)
export const soakSeed = Number(variables['SOAK_SEED'] ?? randomInt(2 ** 31))
/** Kinds of faults to leave out, separated by commas. A run that leaves some out says so. */
export const leftOut: ReadonlySet<string> = new Set(
  (variables['SOAK_WITHOUT'] ?? '').split(',').filter((kind) => kind !== ''),
)
