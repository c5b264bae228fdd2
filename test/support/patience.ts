import { isLong } from './runs.ts'

/**
 * Maximum milliseconds of a wait for a condition that must occur, on the slowest machine. It reports the missing
 * condition before the test's own time limit ends the test.
 */
export const waitLimitMs = isLong ? 3_000_000 : 900_000

export const patience = { timeout: waitLimitMs }

/** Milliseconds between the checks of a tracker for overdue requests, by its own clock. */
export const overdueIntervalMs = 10_000
