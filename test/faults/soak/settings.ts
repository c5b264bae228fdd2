import { randomInt } from 'node:crypto'

// biome-ignore lint/style/noProcessEnv: the person who runs the soak sets these.
const variables = process.env

/** Duration of the faults. */
export const soakSeconds = Number(variables['SOAK_SECONDS'] ?? 600)
export const soakSeed = Number(variables['SOAK_SEED'] ?? randomInt(2 ** 31))
/** Kinds of faults to leave out, separated by commas. A run that leaves some out says so. */
export const leftOut: ReadonlySet<string> = new Set(
  (variables['SOAK_WITHOUT'] ?? '').split(',').filter((kind) => kind !== ''),
)
