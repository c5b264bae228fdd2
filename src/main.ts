import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import { createChainClient } from '#src/chains/chainClient.ts'
import { type Config, parseConfig, readConfig } from '#src/config.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { type Environment, readEnvironment } from '#src/environment.ts'
import { createMetrics } from '#src/gateway/metrics.ts'
import { createGateway } from '#src/gateway/server.ts'
import { createLog, type Log } from '#src/log.ts'
import { createMarket } from '#src/market/createMarket.ts'
import { readTokenList } from '#src/market/tokenList.ts'
import { createOperations } from '#src/operations/createOperations.ts'

/** Where the embedded devnet describes itself. */
const devnetDirectory = '.crossquote'

/** Builds every part and listens; what it gives back stops them all, in the opposite order. */
async function start(environment: Environment, log: Log): Promise<() => Promise<void>> {
  const { CONFIG: path, DEVNET_TRAFFIC, PORT: port, HOST: host } = environment
  const devnet: Devnet | undefined =
    path === undefined
      ? await startDevnet({ log, directory: devnetDirectory, traffic: DEVNET_TRAFFIC === '1' })
      : undefined
  const config =
    path === undefined
      ? parseConfig(devnet?.config, 'The devnet’s configuration')
      : readConfig(path)

  const clients = new Map(config.chains.map((chain) => [chain.id, createChainClient(chain, log)]))
  const market = createMarket(
    { clients, log, now: () => performance.now() },
    { config, listed: listedCurrencies(config, path) },
  )
  const operations = createOperations({ log, config, market })
  const metrics = createMetrics({ operations, clients })
  const gateway = createGateway({ operations, log, metrics })
  gateway.server.listen(port, host)
  await once(gateway.server, 'listening')
  const { port: bound } = gateway.server.address() as AddressInfo
  log.info(`GraphQL and GraphiQL at http://localhost:${bound}/graphql`)
  void market.ready().then(() => log.info('Ready: every chain’s first snapshot is in'))

  return async () => {
    await gateway.close()
    await market.close()
    for (const client of clients.values()) client.close()
    await devnet?.stop()
  }
}

/** The token list stands beside the configuration that names it. */
function listedCurrencies({ tokenList, chains }: Config, configPath = '.') {
  if (tokenList === undefined) return []
  const path = resolve(dirname(configPath), tokenList)
  return readTokenList(path, new Set(chains.map(({ id }) => id)))
}

const environment = readEnvironment(process.env)
const log = createLog(environment.LOG_LEVEL)
try {
  const stop = await start(environment, log)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log.info(`${signal}: stopping`)
      stop().then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'It did not stop cleanly')
          process.exit(1)
        },
      )
    })
} catch (error) {
  log.error((error as Error).message)
  process.exit(1)
}
