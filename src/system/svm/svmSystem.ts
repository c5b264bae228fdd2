import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { createSvmMarketChain } from '#src/market/svm/svmMarketChain.ts'
import type { SvmMarketPorts } from '#src/market/svm/svmMarketFollower.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createSvmTracker, type SvmTrackerPorts } from '#src/requests/tracker/svm/svmTracker.ts'
import type { Tracker } from '#src/requests/tracker/tracker.ts'
import type { ChainVoters } from '#src/solver/deposits/depositChecks.ts'
import type { ChainChecks } from '#src/solver/fills/fillChecks.ts'
import type { Runtime } from '#src/solver/ports.ts'
import type { Solver } from '#src/solver/solver.ts'
import { createSvmChainChecks } from '#src/solver/svm/svmChainChecks.ts'
import { createSvmDepositVoters } from '#src/solver/svm/svmDepositVoters.ts'
import type { SvmSolverPorts } from '#src/solver/svm/svmPorts.ts'
import { createSvmSolver } from '#src/solver/svm/svmSolver.ts'
import type { SvmSigners } from './svmSigners.ts'

/** The Solana chains of a process. */
export type SvmSystem = Readonly<{
  clients: ReadonlyMap<ChainId, SvmClient>
  /** @param ports.clients those of the EVM chains, for price feeds */
  marketChains: (
    ports: Omit<SvmMarketPorts, 'client'> &
      Readonly<{ clients: ReadonlyMap<ChainId, ChainClient> }>,
  ) => readonly OtherChain[]
  /** The tracker of a chain with a program. */
  createTracker: (
    ports: Omit<SvmTrackerPorts, 'client'>,
    chain: SvmChainConfig,
    isDevnet: boolean,
  ) => Tracker
  /** The solver of a chain with a program. @throws Error in a process that has no keys */
  createSolver: (
    ports: Omit<SvmSolverPorts, 'client' | 'account' | 'allocator'>,
    chain: SvmChainConfig,
  ) => Solver
  /** What asks the endpoints about deposits, by chain. */
  depositVoters: ReadonlyMap<ChainId, ChainVoters>
  /** What asks the chains about fills and deposits. */
  chainChecks: (
    ports: Runtime & Readonly<{ store: RequestStore }>,
  ) => ReadonlyMap<ChainId, ChainChecks>
  /** Ends all requests. */
  close: () => void
}>

/** Connects at the first request. */
export function createSvmSystem(
  { log, span }: Readonly<{ log: Log; span?: Span | undefined }>,
  config: Pick<Config, 'svmChains' | 'assets' | 'solver'>,
  signers?: SvmSigners,
): SvmSystem {
  const connected = config.svmChains.map((chain) => ({
    chain,
    client: createSvmClient(chain, log, { span }),
  }))
  const clients = new Map(connected.map(({ chain, client }) => [chain.id, client]))
  const deployed = connected.flatMap(({ chain, client }) =>
    chain.program === undefined ? [] : [{ chain, client, program: chain.program }],
  )
  return {
    clients,
    marketChains: (ports) =>
      connected.map(({ chain, client }) =>
        createSvmMarketChain({ ...ports, client }, chain, config),
      ),
    createTracker: (ports, chain, isDevnet) => {
      const client = clients.get(chain.id)
      if (client === undefined) throw new Error(`Chain ${chain.id} has no client`)
      return createSvmTracker({ ...ports, client }, { chain, isDevnet })
    },
    createSolver: (ports, chain) => {
      const own = deployed.find((each) => each.chain.id === chain.id)
      if (own === undefined || signers === undefined)
        throw new Error(`The solver of chain ${chain.id} has no program or no key`)
      const { client, program } = own
      const accounts = { solver: signers.account.pubkey, allocator: signers.allocator.pubkey }
      return createSvmSolver(
        { ...ports, ...signers, client },
        { chain, program, ...accounts },
        config.solver,
      )
    },
    depositVoters: new Map(
      deployed.map(({ chain, client, program }) => [
        chain.id,
        createSvmDepositVoters(client, chain, program),
      ]),
    ),
    chainChecks: (ports) =>
      new Map(
        deployed.flatMap(({ chain, client, program }) => {
          const solver = config.solver.svm?.address
          if (solver === undefined) return []
          return [
            [
              chain.id,
              createSvmChainChecks({ ...ports, client }, { chain, program, solver }),
            ] as const,
          ]
        }),
      ),
    close: () => {
      for (const { client } of connected) client.close()
    },
  }
}
