import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { depositCurrencies } from '#src/config/depositCurrencies.ts'
import type { ChainConfig, Config } from '#src/config.ts'
import type { Role } from '#src/environment.ts'
import type { WorkerStatus } from '#src/gateway/monitoring/workerStatus.ts'
import type { Signer } from '#src/keys/signer.ts'
import type { Log } from '#src/log.ts'
import type { MarketFeed } from '#src/market/createMarket.ts'
import { createRetention } from '#src/requests/createRetention.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { createTracker } from '#src/requests/tracker/createTracker.ts'
import { createWebhooks } from '#src/requests/webhooks/createWebhooks.ts'
import { createSolver } from '#src/solver/createSolver.ts'
import { createDepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createFillChecks } from '#src/solver/fills/fillChecks.ts'
import { createVerifiedChains } from '#src/solver/verifiedChains.ts'
import { toAddress } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Leadership } from './leadership.ts'

type Deps = Readonly<{
  log: Log
  config: Config
  clients: ReadonlyMap<ChainId, ChainClient>
  market: MarketFeed | undefined
  store: RequestStore
  bus: Bus
  leadership: Leadership
  /** Whether chains may start anew under their ids. */
  isDevnet: boolean
  /** Signs for the solver. */
  account: Signer | undefined
  /** Signs what the depositories pay out, where another account than the solver's does. */
  allocator: Signer | undefined
}>

/** The workers of this process. Each runs only while this process is its leader. */
export type Workers = Readonly<{
  workerStatuses: () => readonly WorkerStatus[]
  /** Stops all workers. Other processes may take over afterwards. */
  stop: () => Promise<void>
}>

/**
 * Starts the workers of this process's roles. Each tracker, each solver and the webhook sender runs in one process
 * at a time.
 */
export function startWorkers(deps: Deps, roles: ReadonlySet<Role>): Workers {
  const { config, leadership } = deps
  const ends: (() => Promise<void>)[] = []
  const workerStatuses: (() => WorkerStatus)[] = []
  const compete = (name: string, run: (signal: AbortSignal) => Promise<void>) => {
    ends.push(leadership.lead(name, run))
    return () => ({ name, leadership: leadership.stateOf(name) })
  }
  const chains = config.chains.filter(({ contracts }) => contracts !== undefined)
  if (roles.has('tracker')) {
    for (const chain of chains) {
      const { run, status } = trackerOf(deps, chain)
      const identity = compete(`tracker:${chain.id}`, run)
      workerStatuses.push(() => ({
        kind: 'tracker',
        chain: chain.name,
        ...identity(),
        ...status(),
      }))
    }
    const retention = createRetention({ ...deps, now: Date.now }, config)
    ends.push(leadership.lead('retention', retention.run))
    const identity = compete('webhooks', createWebhooks({ ...deps, now: Date.now }, config).run)
    workerStatuses.push(() => ({ kind: 'webhooks', ...identity() }))
  }
  if (roles.has('solver'))
    for (const chain of chains) {
      const { run, status } = solverOf(deps, chain)
      const identity = compete(`solver:${chain.id}`, run)
      workerStatuses.push(() => ({ kind: 'solver', chain: chain.name, ...identity(), ...status() }))
    }
  return {
    workerStatuses: () => workerStatuses.map((status) => status()),
    stop: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}

const trackerOf = ({ log, config, clients, store, bus, isDevnet }: Deps, chain: ChainConfig) =>
  createTracker(
    { client: clientOf(clients, chain), log, store, bus, now: Date.now },
    { chain, depositCurrencies: depositCurrencies(config, chain), isDevnet },
  )

function solverOf(deps: Deps, chain: ChainConfig) {
  const { log, config, clients, market, store, bus, account, allocator } = deps
  if (market === undefined || account === undefined)
    throw new Error('A solver needs a market and an account')
  const identity = config.solver.identity ?? config.solver.address
  return createSolver(
    {
      client: clientOf(clients, chain),
      depositChecks: createDepositChecks(deps, config.chains),
      fillChecks: createFillChecks({ ...deps, now: Date.now }, config.chains, {
        account: toAddress(account.address),
        identity,
      }),
      verifiedChains: createVerifiedChains({ ...deps, now: Date.now }),
      ...{ log, store, bus, market, account, now: Date.now },
      ...(allocator !== undefined && { allocator }),
    },
    { chain, limits: config.solver, identity },
  )
}

function clientOf(clients: ReadonlyMap<ChainId, ChainClient>, { id }: ChainConfig): ChainClient {
  const client = clients.get(id)
  if (client === undefined) throw new Error(`Chain ${id} has no client`)
  return client
}
