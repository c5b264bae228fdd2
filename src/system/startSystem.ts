import type { Server } from 'node:http'
import type { LocalAccount } from 'viem'
import { type ChainClient, createChainClient } from '#src/chains/chainClient.ts'
import type { Config } from '#src/config.ts'
import type { Role } from '#src/environment.ts'
import type { Gateway } from '#src/gateway/server.ts'
import type { Log } from '#src/log.ts'
import { createMarket, type MarketFeed } from '#src/market/createMarket.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import { createFaces } from './apis.ts'
import { createLeadership } from './leadership.ts'
import { createProbes } from './probes.ts'
import { startWorkers } from './workers.ts'

type Deps = Readonly<{
  log: Log
  store: RequestStore
  bus: Bus
  /** The market's clock, which never goes back, in milliseconds. */
  now: () => number
}>

type SystemArgs = Readonly<{
  config: Config
  /** What the token list vouches for. */
  listed: readonly Currency[]
  roles: ReadonlySet<Role>
  /** Signs for the solver; needed where this process has that role. */
  account?: LocalAccount
  /** What processes that share the work take turns by; without it this one does all of its work alone. */
  databaseUrl?: string
}>

/** The parts of one process at work. */
export type System = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  /** Undefined where only trackers run. */
  market: MarketFeed | undefined
  /** Undefined where this process is no gateway. */
  gateway: Gateway | undefined
  /** The gateway's, else one that tells monitors how the work goes. Not listening yet. */
  server: Server
  /** Everything, in the opposite order; the store and the bus stay. */
  stop: () => Promise<void>
}>

/** Starts what `roles` name, over a store and a bus that run already. */
export function startSystem(deps: Deps, args: SystemArgs): System {
  const { log, now } = deps
  const { config, listed, roles, databaseUrl } = args
  const clients = new Map(config.chains.map((chain) => [chain.id, createChainClient(chain, log)]))
  const market =
    roles.has('gateway') || roles.has('solver')
      ? createMarket({ clients, log, now }, { config, listed })
      : undefined
  const leadership = createLeadership({ log }, databaseUrl === undefined ? {} : { databaseUrl })
  const shared = { ...deps, config, clients }
  const workers = startWorkers({ ...shared, market, leadership, account: args.account }, roles)
  const { duties } = workers
  const gateway =
    roles.has('gateway') && market !== undefined
      ? createFaces({ ...shared, market, duties })
      : undefined
  const face = gateway ?? createProbes({ log, config, clients, market, duties })
  return {
    clients,
    market,
    gateway,
    server: face.server,
    stop: async () => {
      await face.close()
      await workers.stop()
      await leadership.close()
      await market?.close()
      for (const client of clients.values()) client.close()
    },
  }
}
