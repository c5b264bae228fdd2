import { AppError } from '#src/core/errors.ts'

/** Identifies one term of a leader. The token rises with each term of a duty. */
export type Fence = Readonly<{ duty: string; token: bigint }>

/** The right to do a duty for a while, such as to track a chain. One process holds it at a time. */
export type Lease = Readonly<{
  /**
   * The fence of this term; undefined if no other process can lead. A save with this fence fails once the term is over.
   * @throws LeaseLostError if the term is over by the process's own clock
   */
  fence: () => Fence | undefined
  /** Ends the term at once: the database has refused its fence. */
  lose: () => void
}> &
  LeaseProof

/** Proves before each broadcast that this process still leads. */
export type LeaseProof = Readonly<{
  /** Checks in the database that the term goes on. @throws LeaseLostError; the error of the database */
  confirm: () => Promise<void>
}>

/** The lease of a process that shares its database with no other. */
export const soleLease: Lease = {
  fence: () => undefined,
  confirm: async () => undefined,
  lose: () => undefined,
}

/** The term is over: another process does the duty now, or soon. */
export class LeaseLostError extends AppError {
  constructor(duty: string) {
    super('SERVICE_UNAVAILABLE', `This process has lost its lease of ${duty}.`)
  }
}
