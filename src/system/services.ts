import { dirname, resolve } from 'node:path'
import { type Config, parseConfig, readConfig } from '#src/config.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import type { Environment } from '#src/environment.ts'
import { readTrustedDocuments } from '#src/gateway/graphql/execution/trustedDocuments.ts'
import type { Log } from '#src/log.ts'
import { readTokenList } from '#src/market/currencies/tokenList.ts'
import { type Bus, createLocalBus } from '#src/requests/events/bus.ts'
import { createRedisBus } from '#src/requests/events/redisBus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import type { Currency } from '#src/units/currency.ts'

/** The services that all parts of the process use. */
export type Services = Readonly<{
  /** Present where no configuration file is given. */
  devnet: Devnet | undefined
  config: Config
  /** The verified currencies of the token list. */
  listed: readonly Currency[]
  /** The only GraphQL documents to execute, by their ids. Undefined: any document. */
  trustedDocuments: ReadonlyMap<string, string> | undefined
  bus: Bus
  store: RequestStore
  stop: () => Promise<void>
}>

/**
 * Starts the devnet and the request store at the same time, because both are slow. If one fails, the other is stopped.
 * @throws Error with the failed service and the reason
 */
export async function startServices(environment: Environment, log: Log): Promise<Services> {
  const { CONFIG: path, REDIS_URL: redisUrl, TRUSTED_DOCUMENTS: documentsPath } = environment
  const configured = path === undefined ? undefined : readConfig(path)
  const trustedDocuments =
    documentsPath === undefined ? undefined : readTrustedDocuments(documentsPath)
  const bus =
    redisUrl === undefined
      ? createLocalBus()
      : createRedisBus({ log }, { url: redisUrl, stream: streamOf(environment) })
  const opening = openStore(environment, configured, { log, bus })
  const starting =
    path === undefined ? startOwnDevnet(environment, log, opening) : Promise.resolve(undefined)
  const stop = async () => {
    const ended = await Promise.allSettled([
      starting.then((each) => each?.stop()),
      opening.then((each) => each.close()),
    ])
    await bus.close()
    const failed = ended.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  try {
    const [devnet, store] = await Promise.all([starting, opening])
    const config = configured ?? parseConfig(devnet?.config, 'The devnet’s configuration')
    const listed = listedCurrencies(config, path)
    return { devnet, config, listed, trustedDocuments, bus, store, stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/** Processes with the same database share a stream. One Redis can serve several databases. */
function streamOf({ DATABASE_URL: databaseUrl }: Environment): string {
  const database = databaseUrl === undefined ? '' : new URL(databaseUrl).pathname.slice(1)
  return `crossquote:wakeups${database === '' ? '' : `:${database}`}`
}

function openStore(
  { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory }: Environment,
  configured: Config | undefined,
  deps: Readonly<{ log: Log; bus: Bus }>,
): Promise<RequestStore> {
  return openRequestStore(deps, {
    directory,
    webhookKeys: webhookKeysOf(configured),
    ...(databaseUrl !== undefined && { databaseUrl }),
  })
}

/** Names of the API keys that have a webhook. */
const webhookKeysOf = (config: Config | undefined): ReadonlySet<string> =>
  new Set(
    config?.apiKeys.flatMap(({ name, webhookUrl }) => (webhookUrl === undefined ? [] : [name])),
  )

const startOwnDevnet = (
  { DATA_DIRECTORY: directory, DEVNET_TRAFFIC: traffic }: Environment,
  log: Log,
  claimed: Promise<unknown>,
): Promise<Devnet> => startDevnet({ log, directory, claimed, traffic: traffic === '1' })

/** The path of the token list is relative to the configuration file. */
function listedCurrencies({ tokenList, chains }: Config, configPath = '.'): readonly Currency[] {
  if (tokenList === undefined) return []
  const path = resolve(dirname(configPath), tokenList)
  return readTokenList(path, new Set(chains.map(({ id }) => id)))
}
