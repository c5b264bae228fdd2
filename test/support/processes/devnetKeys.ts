import { relayer, solver } from '#src/devnet/accounts.ts'

/** Keys for a process that has the devnet's configuration, but does not start the devnet. */
export const devnetKeys = {
  SOLVER_PRIVATE_KEY: solver.privateKey,
  RELAYER_PRIVATE_KEY: relayer.privateKey,
}
