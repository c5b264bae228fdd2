import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { type ChainConfig, type Config, depositCurrencies } from '#src/config/config.ts'
import type { Role } from '#src/config/environment.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import type { Tracer } from '#src/config/tracing/tracer.ts'
import { toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { WorkerStatus } from '#src/gateway/monitoring/workerStatus.ts'
import { createMarketHistory, type MarketHistory, noHistory } from '#src/market/marketHistory.ts'
import type { Markets } from '#src/market/markets.ts'
import { createReplicaPublisher } from '#src/market/replica/replicaPublisher.ts'
import { type ReplicaPlace, replicaKeyOf } from '#src/market/replica/replicaReader.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import { type Lease, soleLease } from '#src/requests/lease.ts'
import { fencedStore, type RequestStore } from '#src/requests/requestStore.ts'
import { createRetention } from '#src/requests/retention.ts'
import { createTracker, type Tracker } from '#src/requests/tracker/tracker.ts'
import { createWebhooks } from '#src/requests/webhooks/webhooks.ts'
import type { PricingQueue } from '#src/service/limits/pricingQueue.ts'
import { createRequote } from '#src/service/quote/requote.ts'
import { createDepositChecks } from '#src/solver/deposits/depositChecks.ts'
import { createFillChecks } from '#src/solver/fills/fillChecks.ts'
import { createRelayer } from '#src/solver/relayer/relayer.ts'
import { createSolver, type Solver } from '#src/solver/solver.ts'
import { createVerifiedChains, evmGenesisReads } from '#src/solver/verifiedChains.ts'
import { createFollower } from '#src/upstream/follower.ts'
import type { UpstreamClient } from '#src/upstream/upstreamClient.ts'
import type { Leadership, Work } from './leadership.ts'
import { traceSaves } from './observedStore.ts'
import type { SvmSystem } from './svm/svmSystem.ts'

type Deps = Readonly<{
  log: Log
  config: Config
  clients: ReadonlyMap<ChainId, ChainClient>
  /** The svm chains; undefined if the configuration has none. */
  svm?: SvmSystem | undefined
  market: Markets | undefined
  pricing: PricingQueue
  store: RequestStore
  bus: Bus
  leadership: Leadership
  /** Asks the service that the configuration names. */
  upstream?: UpstreamClient | undefined
  /** Whether a chain may restart from another genesis under its id. */
  isDevnet: boolean
  /** Signs for the solver. */
  account: Signer | undefined
  /** Signs the payouts of the depositories, if its account differs from the solver's. */
  allocator: Signer | undefined
  /** Signs the calls of API keys. */
  relayer: Signer | undefined
  /** Redis, stream prefix and secret of the feeds. */
  feed?: ReplicaPlace | undefined
  tracer?: Tracer | undefined
}>

/** The workers of this process. Each runs only while this process is its leader. */
export type Workers = Readonly<{
  workerStatuses: () => readonly WorkerStatus[]
  /** Stops all workers. Other processes may take over afterwards. */
  stop: () => Promise<void>
}>

/**
 * Starts the workers of this process's roles: trackers, retention, webhooks, the upstream follower, solvers, relayers
 * and feed publishers. Each of them runs in one process at a time.
 */
export function startWorkers(deps: Deps, roles: ReadonlySet<Role>): Workers {
  const { config, leadership } = deps
  const ends: (() => Promise<void>)[] = []
  const workerStatuses: (() => WorkerStatus)[] = []
  const compete = (name: string, run: Work) => {
    ends.push(leadership.lead(name, run))
    return () => ({
      name,
      leadership: leadership.stateOf(name),
      leasesLost: leadership.lossesOf(name),
    })
  }
  const chains = config.chains.filter(({ contracts }) => contracts !== undefined)
  if (roles.has('tracker')) {
    for (const { chain, create } of trackersOf(deps)) {
      const { run, status } = createPerTerm(create)
      const identity = compete(`tracker:${chain.id}`, run)
      workerStatuses.push(() => ({
        kind: 'tracker',
        chain: chain.name,
        ...identity(),
        ...status(),
      }))
    }
    const fenced = (lease: Lease) => ({
      ...deps,
      store: fencedStore(deps.store, lease),
      now: Date.now,
    })
    const deleteOld: Work = (signal, lease) => createRetention(fenced(lease), config).run(signal)
    const callWebhooks: Work = (signal, lease) => createWebhooks(fenced(lease), config).run(signal)
    ends.push(leadership.lead('retention', deleteOld))
    const identity = compete('webhooks', callWebhooks)
    workerStatuses.push(() => ({ kind: 'webhooks', ...identity() }))
    const { upstream } = deps
    if (upstream !== undefined)
      ends.push(
        leadership.lead('upstream', (signal, lease) =>
          followerOf(deps, upstream, lease).run(signal),
        ),
      )
  }
  if (roles.has('solver')) {
    const { market } = deps
    const { openPriceSeconds } = config.solver
    // The history outlives terms: a standby has one when it takes over.
    const history = market === undefined ? noHistory : createMarketHistory(market, openPriceSeconds)
    for (const { chain, create } of solversOf({ ...deps, history })) {
      const { run, status } = createPerTerm(create)
      const identity = compete(`solver:${chain.id}`, run)
      workerStatuses.push(() => ({ kind: 'solver', chain: chain.name, ...identity(), ...status() }))
    }
  }
  if (roles.has('feed'))
    for (const chain of config.chains) {
      const { run, status } = publisherOf(deps, chain)
      const identity = compete(`feed:${chain.id}`, run)
      workerStatuses.push(() => ({ kind: 'feed', chain: chain.name, ...identity(), ...status() }))
    }
  const { relayer } = deps
  if (roles.has('solver') && relayer !== undefined)
    for (const chain of chains) {
      const { run, status } = createPerTerm((lease) => relayerOf(deps, { chain, relayer }, lease))
      const identity = compete(`relayer:${chain.id}`, run)
      workerStatuses.push(() => ({
        kind: 'relayer',
        chain: chain.name,
        ...identity(),
        ...status(),
      }))
    }
  return {
    workerStatuses: () => workerStatuses.map((status) => status()),
    stop: async () => {
      await Promise.all(ends.map((end) => end()))
    },
  }
}

/** Creates a new worker for each term, so that it does not use data from an earlier term. */
function createPerTerm<Status>(
  create: (
    lease: Lease,
  ) => Readonly<{ run: (signal: AbortSignal) => Promise<void>; status: () => Status }>,
): Readonly<{ run: Work; status: () => Status }> {
  // Provides the status until the first term.
  let current = create(soleLease)
  return {
    run: (signal, lease) => {
      current = create(lease)
      return current.run(signal)
    },
    status: () => current.status(),
  }
}

/** The trackers of all chains with our contracts or program. */
function trackersOf(deps: Deps) {
  const { log, config, clients, svm, store, bus, isDevnet, tracer } = deps
  const portsOf = (chainId: ChainId, lease: Lease) => ({
    store: fencedStore(traceSaves(store, tracer?.span, chainId), lease),
    log,
    bus,
    now: Date.now,
  })
  const evm = config.chains.filter(({ contracts }) => contracts !== undefined)
  return [
    ...evm.map((chain) => ({
      chain,
      create: (lease: Lease): Tracker =>
        createTracker(
          { ...portsOf(chain.id, lease), client: clientOf(clients, chain) },
          { chain, depositCurrencies: depositCurrencies(config, chain), isDevnet },
        ),
    })),
    ...config.svmChains.flatMap((chain) =>
      chain.program === undefined || svm === undefined
        ? []
        : [
            {
              chain,
              create: (lease: Lease) =>
                svm.createTracker(portsOf(chain.id, lease), chain, isDevnet),
            },
          ],
    ),
  ]
}

/** Reads the genesis blocks of all chains. */
const genesisReadsOf = ({ clients, svm }: Deps) =>
  new Map([
    ...evmGenesisReads(clients),
    ...[...(svm?.clients ?? [])].map(([chainId, { getGenesis }]) => [chainId, getGenesis] as const),
  ])

function publisherOf({ log, config, market, feed: place }: Deps, { id }: ChainConfig) {
  if (market === undefined || place === undefined)
    throw new Error('A feed needs a market, and a Redis to publish it')
  const key = replicaKeyOf(place, id, config.solver.address)
  return createReplicaPublisher({ log, market }, { url: place.url, key, chainId: id })
}

const followerOf = ({ log, store }: Deps, client: UpstreamClient, lease: Lease) =>
  createFollower({ log, client, store: fencedStore(store, lease), now: Date.now })

/** The solvers of all chains with our contracts or program. */
function solversOf(shared: Deps & Readonly<{ history: MarketHistory }>) {
  const { config, svm, account, allocator, clients, tracer } = shared
  if (account === undefined) throw new Error('A solver needs an account')
  const identity = config.solver.identity ?? config.solver.address
  const portsOf = (lease: Lease) => {
    const { market, history, pricing, ...deps } = {
      ...shared,
      store: fencedStore(shared.store, lease),
      now: Date.now,
    }
    if (market === undefined) throw new Error('A solver needs a market')
    const { log, store, bus, now } = deps
    const sender = { account: toAddress(account.address), identity }
    const chainChecks = svm?.chainChecks(deps)
    return {
      depositChecks: createDepositChecks(deps, config.chains, svm?.depositVoters),
      fillChecks: createFillChecks(deps, config.chains, sender, chainChecks),
      verifiedChains: createVerifiedChains({ ...deps, genesisReads: genesisReadsOf(shared) }),
      requote: createRequote({ market, config, history, pricing }),
      ...{ log, store, bus, market, lease, now },
    }
  }
  const evm = config.chains.filter(({ contracts }) => contracts !== undefined)
  return [
    ...evm.map((chain) => ({
      chain,
      create: (lease: Lease): Solver =>
        createSolver(
          {
            ...portsOf(lease),
            client: clientOf(clients, chain),
            account,
            span: tracer?.span,
            ...(allocator !== undefined && { allocator }),
          },
          { chain, limits: config.solver, identity },
        ),
    })),
    ...config.svmChains.flatMap((chain) =>
      chain.program === undefined || svm === undefined
        ? []
        : [{ chain, create: (lease: Lease) => svm.createSolver(portsOf(lease), chain) }],
    ),
  ]
}

function relayerOf(
  shared: Deps,
  { chain, relayer: account }: Readonly<{ chain: ChainConfig; relayer: Signer }>,
  lease: Lease,
) {
  const deps = { ...shared, store: fencedStore(shared.store, lease), now: Date.now }
  const { market, config, tracer, clients } = deps
  if (market === undefined) throw new Error('A relayer needs a market')
  return createRelayer(
    {
      ...deps,
      market,
      account,
      lease,
      span: tracer?.span,
      client: clientOf(clients, chain),
      verifiedChains: createVerifiedChains({ ...deps, genesisReads: genesisReadsOf(deps) }),
    },
    { chain, identity: config.solver.identity ?? config.solver.address },
  )
}

function clientOf(clients: ReadonlyMap<ChainId, ChainClient>, { id }: ChainConfig): ChainClient {
  const client = clients.get(id)
  if (client === undefined) throw new Error(`Chain ${id} has no client`)
  return client
}
