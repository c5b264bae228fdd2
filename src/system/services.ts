import { dirname, resolve } from 'node:path'
import { type Config, parseConfig, readConfig } from '#src/config.ts'
import type { Devnet } from '#src/devnet/startDevnet.ts'
import type { Environment } from '#src/environment.ts'
import { readTrustedDocuments } from '#src/gateway/graphql/execution/trustedDocuments.ts'
import type { Log } from '#src/log.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { type Bus, createLocalBus } from '#src/requests/events/bus.ts'
import { createRedisBus } from '#src/requests/events/redisBus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { checkStoreDirectory } from '#src/requests/store/checkStoreDirectory.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import type { Currency } from '#src/units/currency.ts'
import { checkPort } from './checkPort.ts'
import { readSigners, type Signers } from './signers.ts'

/** The services that all parts of the process use. */
export type Services = Readonly<{
  /** Present where no configuration file is given. */
  devnet: Devnet | undefined
  config: Config
  /** The verified currencies of the token list. */
  listed: readonly Currency[]
  /** The only GraphQL documents to execute, by their ids. Undefined: any document. */
  trustedDocuments: ReadonlyMap<string, string> | undefined
  /** Present in a process with the role `solver`. */
  signers: Signers | undefined
  bus: Bus
  store: RequestStore
  stop: () => Promise<void>
}>

/**
 * Checks first what can be checked in a moment. Then starts the devnet and an embedded request store at the same time, because
 * both are slow. If one fails, the other is stopped.
 * @throws Error with the failed service and the reason
 */
export async function startServices(environment: Environment, log: Log): Promise<Services> {
  const { CONFIG: path, REDIS_URL: redisUrl, TRUSTED_DOCUMENTS: documentsPath } = environment
  await checkPort(environment)
  const configured = path === undefined ? undefined : readConfig(path)
  const configuredList = configured && listedCurrencies(log, configured, path)
  const trustedDocuments =
    documentsPath === undefined ? undefined : readTrustedDocuments(documentsPath)
  const signers = await ownSigners(environment, configured)
  if (environment.DATABASE_URL === undefined) await checkStoreDirectory(environment.DATA_DIRECTORY)
  const bus =
    redisUrl === undefined
      ? createLocalBus()
      : createRedisBus({ log }, { url: redisUrl, stream: streamOf(environment) })
  const opening = openStore(environment, configured, { log, bus })
  const starting = path === undefined ? startOwnDevnet(environment, log, opening) : undefined
  const stop = async () => {
    const ended = await Promise.allSettled([
      starting?.then((each) => each.stop()),
      opening.then((each) => each.close()),
    ])
    await bus.close()
    const failed = ended.find((each) => each.status === 'rejected')
    if (failed !== undefined) throw failed.reason
  }
  try {
    const [devnet, store] = await Promise.all([starting, opening])
    const config = configured ?? parseConfig(devnet?.config, 'The devnet’s configuration')
    const listed = configuredList ?? listedCurrencies(log, config)
    return { devnet, config, listed, trustedDocuments, signers, bus, store, stop }
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

async function startOwnDevnet(environment: Environment, log: Log, opening: Promise<unknown>) {
  const {
    DATABASE_URL: databaseUrl,
    DATA_DIRECTORY: directory,
    DEVNET_TRAFFIC: traffic,
  } = environment
  const { startDevnet } = await ofDevnet(import('#src/devnet/startDevnet.ts'))
  // A server opens at once, or not at all.
  if (databaseUrl !== undefined) await opening
  return startDevnet({ log, directory, claimed: opening, traffic: traffic === '1' })
}

async function ownSigners(
  environment: Environment,
  configured: Config | undefined,
): Promise<Signers | undefined> {
  if (!environment.ROLES.has('solver')) return undefined
  if (configured !== undefined) return readSigners(configured, environment)
  const { solver } = await ofDevnet(import('#src/devnet/accounts.ts'))
  const { address, privateKey: devnetKey } = solver
  return readSigners({ solver: { address }, devnetKey }, environment)
}

/** A part of the devnet. It is loaded where it is used only: images for real chains do not have it. */
async function ofDevnet<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new Error(
      'CONFIG names no configuration, and this installation has no devnet: set CONFIG',
    )
  }
}

/** The paths of token lists are relative to the configuration file. */
function listedCurrencies(
  log: Log,
  { tokenList = [], chains }: Config,
  configPath = '.',
): readonly Currency[] {
  const paths = tokenList.map((path) => resolve(dirname(configPath), path))
  return readTokenLists(log, paths, new Set(chains.map(({ id }) => id)))
}
