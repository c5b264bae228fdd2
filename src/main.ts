import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { dirname, resolve } from 'node:path'
import { createChainClient } from '#src/chains/chainClient.ts'
import { type Config, parseConfig, readConfig } from '#src/config.ts'
import { startDevnet } from '#src/devnet/startDevnet.ts'
import { type Environment, readEnvironment } from '#src/environment.ts'
import { createMetrics } from '#src/gateway/metrics.ts'
import { createGateway } from '#src/gateway/server.ts'
import { createLog, type Log } from '#src/log.ts'
import { createMarket } from '#src/market/createMarket.ts'
import { readTokenList } from '#src/market/tokenList.ts'
import { createOperations } from '#src/operations/createOperations.ts'
import { createRandomHash } from '#src/operations/randomHash.ts'
import { openRequestStore } from '#src/requests/requestStore.ts'

type Stop = () => Promise<void> | void

/** Builds every part and listens; what it gives back stops them all. Where one fails, none is left. */
async function start(environment: Environment, log: Log): Promise<() => Promise<void>> {
  const stops: Stop[] = []
  const stop = async () => {
    for (const each of stops.splice(0).reverse()) await each()
  }
  try {
    await build(environment, log, (each) => stops.push(each))
    return stop
  } catch (error) {
    await stop()
    throw error
  }
}

/** `onStop` takes what stops each part once it runs; parts are stopped in the opposite order. */
async function build(environment: Environment, log: Log, onStop: (stop: Stop) => void) {
  const { CONFIG: path, PORT: port, HOST: host } = environment
  const { devnet, store } = await startServices(environment, log)
  onStop(async () => devnet?.stop())
  onStop(store.close)
  const config =
    path === undefined
      ? parseConfig(devnet?.config, 'The devnet’s configuration')
      : readConfig(path)

  const clients = new Map(config.chains.map((chain) => [chain.id, createChainClient(chain, log)]))
  onStop(() => {
    for (const client of clients.values()) client.close()
  })
  const market = createMarket(
    { clients, log, now: () => performance.now() },
    { config, listed: listedCurrencies(config, path) },
  )
  onStop(market.close)
  const operations = createOperations({
    log,
    config,
    market,
    store: store.put,
    now: Date.now,
    randomHash: createRandomHash(),
  })
  const metrics = createMetrics({ operations, clients })
  const gateway = createGateway({ operations, log, metrics })
  gateway.server.listen(port, host)
  await once(gateway.server, 'listening')
  onStop(gateway.close)
  const { port: bound } = gateway.server.address() as AddressInfo
  const url = `http://localhost:${bound}`
  log.info(`GraphQL and GraphiQL at ${url}/graphql, REST as ${url}/docs shows it`)
  void market.ready().then(() => log.info('Ready: every chain’s first snapshot is in'))
}

/** The devnet, where no configuration names chains, and the store of requests: both take a while. */
async function startServices(environment: Environment, log: Log) {
  const { CONFIG: path, DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = environment
  const traffic = environment.DEVNET_TRAFFIC === '1'
  const opening = openRequestStore(
    { log },
    { directory, ...(databaseUrl !== undefined && { databaseUrl }) },
  )
  const starting =
    path === undefined
      ? startDevnet({ log, directory, claimed: opening, traffic })
      : Promise.resolve(undefined)
  try {
    const [devnet, store] = await Promise.all([starting, opening])
    return { devnet, store }
  } catch (error) {
    const stopping = [starting.then((each) => each?.stop()), opening.then((each) => each.close())]
    await Promise.allSettled(stopping)
    throw error
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
