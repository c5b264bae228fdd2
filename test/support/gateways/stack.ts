import { mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { type ConfigInput, parseConfig } from '#src/config/config.ts'
import type { Role } from '#src/config/environment.ts'
import { createLog, type Log } from '#src/config/log.ts'
import { svmNative } from '#src/core/units/svm/pubkey.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import type { SvmChainDescription } from '#src/devnet/svm/svmChainDescription.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { QuoteStore, RequestStore } from '#src/requests/requestStore.ts'
import { createCallers } from '#src/service/callers.ts'
import { createWork } from '#src/service/limits/work.ts'
import { createApis } from '#src/system/apis.ts'
import type { GatewayLimits } from '#src/system/gatewayLimits.ts'
import { loadSvm } from '#src/system/loadSvm.ts'
import { startSystem } from '#src/system/startSystem.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { testPace } from '#test/support/chains/pace.ts'
import { createGraphqlClient } from '#test/support/clients/graphqlClient.ts'
import { openEmptyStore } from '#test/support/store/emptyStore.ts'

export type StackOptions = Readonly<{
  hasSvm?: boolean
  settleAfterSeconds?: number
  log?: Log
  /** Keeps running when the stack stops. */
  devnet?: Devnet
  /** Fills the empty store before anything uses it. */
  fill?: (store: RequestStore) => Promise<unknown>
}>

/**
 * The whole system on ephemeral ports. Without `devnet` it has its own one, with a Solana chain if `hasSvm`.
 * The market’s clock is fixed, so that a chain that is no longer followed does not become stale. There is no tracker and
 * no solver unless `roles` ask for them, because they would send transactions on the chains of the quote tests.
 */
export async function startStack(
  change: Partial<ConfigInput> = {},
  roles: readonly Role[] = ['gateway'],
  limits?: GatewayLimits,
  { hasSvm = false, settleAfterSeconds, ...given }: StackOptions = {},
) {
  const directory = mkdtempSync(join(tmpdir(), 'devnet-'))
  const { log = createLog('silent') } = given
  const bus = createLocalBus()
  const webhookKeys = new Set((change.apiKeys ?? []).map(({ name }) => name))
  const [devnet, store] = await Promise.all([
    given.devnet ?? startDevnet({ log, hasSvm, directory, firstPort: 0, ...testPace }),
    openEmptyStore({ log, bus }, { webhookKeys }),
  ])
  await given.fill?.(store)
  const solver = {
    ...devnet.config.solver,
    ...(settleAfterSeconds !== undefined && { settleAfterSeconds }),
  }
  const config = parseConfig({ ...devnet.config, solver, ...change }, 'devnet')
  const chainIds = new Set([...config.chains, ...config.svmChains].map(({ id }) => id))
  const listed = readTokenLists(log, config.tokenList ?? [], chainIds)
  const account = privateKeyToAccount(devnet.description.solver.privateKey)
  const relayer = privateKeyToAccount(devnet.description.relayer.privateKey)
  const svm = await loadSvm({ log }, config, { environment: {}, isDevnet: true })
  const now = () => 0
  const time = createChainClock(() => system.market, now)
  const system = startSystem(
    { log, store, bus, now, time },
    { config, listed, account, relayer, svm, roles: new Set(roles), limits },
  )
  const { market, clients } = system
  if (market === undefined || system.gateway === undefined) throw new Error('A stack has a gateway')

  /** A gateway that stores its quotes in `into`. */
  const serve = async (into: QuoteStore) => {
    const work = createWork(createCallers(config.apiKeys))
    const shared = { log, config, clients, svmClients: svm?.clients, market, work, bus }
    const { server, close } = createApis({ ...shared, store: { ...store, ...into } })
    return { url: await listen(server), close }
  }
  const url = await listen(system.gateway.server)
  await market.ready()

  return {
    url,
    devnet,
    config,
    market,
    store,
    bus,
    serve,
    /** JSON-RPC requests so far, over all chains, by method. */
    requests: () => {
      const counts: Record<string, number> = {}
      for (const client of clients.values())
        for (const [method, count] of client.requests())
          counts[method] = (counts[method] ?? 0) + count
      return counts
    },
    contractsOn: (chainId: number) => {
      const contracts = config.chains.find(({ id }) => id === chainId)?.contracts
      if (contracts === undefined) throw new Error(`No contracts on chain ${chainId}`)
      return contracts
    },
    currencyOn: (chainId: number, symbol: string): string => {
      const { svmChain } = devnet.description
      if (svmChain?.id === chainId) return svmCurrency(svmChain, symbol)
      const chain = devnet.description.chains.find(({ id }) => id === chainId)
      if (chain?.nativeCurrency.symbol === symbol) return `0x${'0'.repeat(40)}`
      const currency = chain?.currencies.find((each) => each.symbol === symbol)
      if (currency === undefined) throw new Error(`No ${symbol} on chain ${chainId}`)
      return currency.address
    },
    ...createGraphqlClient(url),
    stop: async () => {
      await system.stop()
      await store.close()
      if (given.devnet === undefined) await devnet.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

function svmCurrency({ nativeCurrency, mints }: SvmChainDescription, symbol: string): string {
  if (nativeCurrency.symbol === symbol) return svmNative
  const mint = mints.find((each) => each.symbol === symbol)
  if (mint === undefined) throw new Error(`No ${symbol} on the Solana chain`)
  return mint.address
}

const listen = (server: Server): Promise<string> =>
  new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )

export type Stack = Awaited<ReturnType<typeof startStack>>
