import { AppError } from '#src/errors.ts'

/** Names one term of a leader. The token of each new term of a duty is higher. */
export type Fence = Readonly<{ duty: string; token: bigint }>

/** The right to do a duty, such as to track a chain, for a while. One process at a time has it. */
export type Lease = Readonly<{
  /**
   * The fence of this term; undefined where no other process can lead. A save that carries it fails once it is over.
   * @throws LeaseLostError where the term is over by the process's own clock
   */
  fence: () => Fence | undefined
  /** Asks the database whether the term goes on. @throws LeaseLostError; the error of the database */
  confirm: () => Promise<void>
  /** Ends the term at once: the database has refused its fence. */
  lose: () => void
}>

/** The lease of a process that has its database for itself. */
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
