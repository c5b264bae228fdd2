import { privateKeyToAccount } from 'viem/accounts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config/config.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { solver as solverKey } from '#src/devnet/accounts.ts'
import { noHistory } from '#src/market/marketHistory.ts'
import { soleLease } from '#src/requests/lease.ts'
import type { Work } from '#src/service/limits/work.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { createDepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createFillChecks } from '#src/solver/fills/fillChecks.ts'
import { createSolver, type SolverConfig, type SolverPorts } from '#src/solver/solver.ts'
import { createVerifiedChains, evmGenesisReads } from '#src/solver/verifiedChains.ts'

type Shared = Pick<SolverPorts, 'log' | 'store' | 'bus' | 'market'> &
  Pick<Work, 'pricing'> &
  Readonly<{ clients: ReadonlyMap<ChainId, ChainClient> }>

/** Dependencies and limits of a solver that replace the rig's own. */
export type SolverChanges = Partial<
  Pick<
    SolverPorts,
    'requote' | 'store' | 'client' | 'market' | 'now' | 'account' | 'allocator' | 'log' | 'lease'
  >
> &
  Partial<Pick<SolverConfig, 'limits' | 'identity'>>

/** Makes the solvers of a rig, with the devnet's key. */
export function createRigSolvers({ clients, ...shared }: Shared, config: Config) {
  const { chains, solver } = config
  const devnetAccount = privateKeyToAccount(solverKey.privateKey)

  return (
    chainId: ChainId,
    { limits = solver, identity = solver.address, ...changes }: SolverChanges,
  ) => {
    const chain = chains.find(({ id }) => id === chainId)
    const client = clients.get(chainId)
    if (chain === undefined || client === undefined) throw new Error(`No chain ${chainId}`)
    const deps = {
      requote: createRequote({ ...shared, config, history: noHistory }),
      client,
      ...shared,
      lease: soleLease,
      account: devnetAccount,
      now: Date.now,
      ...changes,
    }
    const checks = { ...deps, clients, now: Date.now }
    const account = toAddress(deps.account.address)
    return createSolver(
      {
        ...deps,
        depositChecks: createDepositChecks(checks, chains),
        fillChecks: createFillChecks(checks, chains, { account, identity }),
        verifiedChains: createVerifiedChains({ ...checks, genesisReads: evmGenesisReads(clients) }),
      },
      { chain, limits, identity },
    )
  }
}
