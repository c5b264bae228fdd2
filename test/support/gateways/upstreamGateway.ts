import type { AddressInfo } from 'node:net'
import { type ConfigInput, parseConfig } from '#src/config/config.ts'
import type { Role } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { startSystem } from '#src/system/startSystem.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'
import type { Stack } from './stack.ts'

type UpstreamInput = NonNullable<ConfigInput['upstream']>

/** The configuration that names the stack as another service. */
export const upstreamOf = ({ url, config }: Pick<Stack, 'url' | 'config'>): UpstreamInput => ({
  url,
  chains: config.chains.map(({ id, name, contracts }) => ({
    id,
    name,
    contracts: Object.values(contracts ?? {}),
  })),
})

/**
 * A second service on the devnet of the stack, with its own store and only these chains. It asks `upstream` for the
 * other chains. The market’s clock is constant, like the stack's.
 */
export async function startUpstreamGateway(
  { devnet }: Pick<Stack, 'devnet'>,
  { chainIds, upstream }: Readonly<{ chainIds: readonly number[]; upstream: UpstreamInput }>,
  roles: readonly Role[] = ['gateway', 'tracker'],
) {
  const log = createLog('silent')
  const bus = createLocalBus()
  const store = await openEmptyStore({ log, bus })
  const { solver, assets = [], chains, ...rest } = devnet.config
  const known = ({ chainId }: Readonly<{ chainId: number }>) => chainIds.includes(chainId)
  const config = parseConfig(
    {
      ...rest,
      upstream,
      // Its contracts are the stack’s.
      chains: chains
        .filter(({ id }) => chainIds.includes(id))
        .map(({ contracts: _, ...chain }) => chain),
      ...(chainIds.length > 0 && {
        solver,
        assets: assets
          .map((asset) => ({ ...asset, currencies: asset.currencies.filter(known) }))
          .filter(({ currencies }) => currencies.length > 0),
      }),
    },
    'a second service',
  )
  const start = async () => {
    const now = () => 0
    const time = createChainClock(() => system.market, now)
    const system = startSystem(
      { log, store, bus, now, time },
      { config, listed: [], roles: new Set(roles), isDevnet: true },
    )
    if (system.gateway === undefined) throw new Error('It has a gateway')
    const { server } = system.gateway
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await system.market?.ready()
    return { system, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  }
  const { system, url } = await start()
  return {
    url,
    store,
    ...createGraphqlClient(url),
    /** Ends this process's part. The store and its bus stay open. */
    stopSystem: system.stop,
    /** Another process on the same store. */
    restart: start,
    stop: async () => {
      await system.stop()
      await store.close()
    },
  }
}

export type UpstreamGateway = Awaited<ReturnType<typeof startUpstreamGateway>>
