import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createChainClient } from '#src/chains/chainClient.ts'
import { type ConfigInput, parseConfig } from '#src/config.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { createMetrics } from '#src/gateway/metrics.ts'
import { createGateway } from '#src/gateway/server.ts'
import { createLog } from '#src/log.ts'
import { createMarket } from '#src/market/createMarket.ts'
import { readTokenList } from '#src/market/tokenList.ts'
import { createOperations } from '#src/operations/createOperations.ts'
import { createRandomHash } from '#src/operations/randomHash.ts'
import { openRequestStore, type RequestStore } from '#src/requests/requestStore.ts'
import { createGraphqlClient } from './graphqlClient.ts'

/**
 * The whole of it on ephemeral ports: the devnet, the market, the operations, the gateway. Its clock
 * stands still, so that the market of a chain that is followed no more does not turn stale.
 */
export async function startStack(change: Partial<ConfigInput> = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'crossquote-'))
  const log = createLog('silent')
  const [devnet, store] = await Promise.all([
    startDevnet({ log, directory, firstPort: 0 }),
    openRequestStore({ log }, { directory }),
  ])
  const config = parseConfig({ ...devnet.config, ...change }, 'devnet')
  const clients = new Map(config.chains.map((chain) => [chain.id, createChainClient(chain, log)]))
  const chainIds = new Set(config.chains.map(({ id }) => id))
  const listed = readTokenList(config.tokenList ?? '', chainIds)
  const market = createMarket({ clients, log, now: () => 0 }, { config, listed })

  /** A gateway that stores its quotes in `into`. */
  const serve = async (into: Pick<RequestStore, 'put'>) => {
    const operations = createOperations({
      log,
      config,
      market,
      store: into.put,
      now: Date.now,
      randomHash: createRandomHash(),
    })
    const metrics = createMetrics({ operations, clients })
    const { server, close } = createGateway({ operations, log, metrics })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
  }
  const gateway = await serve(store)
  const { url } = gateway
  await market.ready()

  return {
    url,
    devnet,
    market,
    store,
    serve,
    /** JSON-RPC requests so far, of all chains, by method. */
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
    currencyOn: (chainId: number, symbol: string) => {
      const chain = devnet.description.chains.find(({ id }) => id === chainId)
      if (chain?.nativeCurrency.symbol === symbol) return `0x${'0'.repeat(40)}`
      const currency = chain?.currencies.find((each) => each.symbol === symbol)
      if (currency === undefined) throw new Error(`No ${symbol} on chain ${chainId}`)
      return currency.address
    },
    ...createGraphqlClient(url),
    stop: async () => {
      await gateway.close()
      await store.close()
      await market.close()
      for (const client of clients.values()) client.close()
      await devnet.stop()
      rmSync(directory, { recursive: true })
    },
  }
}

export type Stack = Awaited<ReturnType<typeof startStack>>
