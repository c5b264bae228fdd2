import { relayer, solver } from '#src/devnet/accounts.ts'

/** For a process with the devnet's configuration, which does not start the devnet itself. */
export const devnetKeys = {
  SOLVER_PRIVATE_KEY: solver.privateKey,
  RELAYER_PRIVATE_KEY: relayer.privateKey,
}
