import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Config, parseConfig, readConfig } from '#src/config/config.ts'
import type { Environment } from '#src/config/environment.ts'
import { createLog, type Log } from '#src/config/log.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Devnet } from '#src/devnet/startDevnet.ts'
import { readTrustedDocuments } from '#src/gateway/graphql/execution/trustedDocuments.ts'
import { readListedCurrencies } from '#src/market/currencies/remoteTokenList.ts'
import type { ReplicaPlace } from '#src/market/replica/replicaReader.ts'
import { type Bus, createLocalBus } from '#src/requests/events/bus.ts'
import { createRedisBus, redisName } from '#src/requests/events/redisBus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { checkStoreDirectory } from '#src/requests/store/connection/storeDirectory.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { refuseWrongFacts } from './check/checkConfig.ts'
import { readSigners, type Signers } from './signers.ts'

/** The services that all parts of the process use. */
export type Services = Readonly<{
  /** Present if no configuration file is given. */
  devnet: Devnet | undefined
  config: Config
  /** The verified currencies of the token list. */
  listed: readonly Currency[]
  /** The only GraphQL documents to execute, by their ids. Undefined: any document. */
  trustedDocuments: ReadonlyMap<string, string> | undefined
  /** Present in a process with the role `solver`. */
  signers: Signers | undefined
  bus: Bus
  /** Redis, stream prefix and secret of the feeds. Undefined if the environment lacks one of the feed's variables. */
  feed: ReplicaPlace | undefined
  store: RequestStore
  stop: () => Promise<void>
}>

/** Maximum time to compare the configuration with its chains, so that hanging endpoints do not delay the start. */
const defaultCheckSeconds = 6

/**
 * Runs quick checks first. Then starts the devnet and an embedded request store at the same time, because both are
 * slow. If one fails, the other is stopped.
 * @param checkSeconds time limit after which the remaining facts of the configuration are not checked
 * @throws Error with the failed service and the reason; WrongFactsError
 */
export async function startServices(
  environment: Environment,
  log: Log,
  checkSeconds = defaultCheckSeconds,
): Promise<Services> {
  const { CONFIG: path, REDIS_URL: redisUrl, TRUSTED_DOCUMENTS: documentsPath } = environment
  await checkPort(environment)
  const configured =
    path === undefined
      ? undefined
      : readConfig(path, { canLackEndpoints: needsNoNode(environment) })
  const trustedDocuments =
    documentsPath === undefined ? undefined : readTrustedDocuments(documentsPath)
  const signers = await ownSigners(environment, configured)
  if (environment.DATABASE_URL === undefined) await checkStoreDirectory(environment.DATA_DIRECTORY)
  const directory = join(environment.DATA_DIRECTORY, 'tokenLists')
  const configuredList =
    configured && (await readListedCurrencies({ log, directory }, configured, path))
  const bus =
    redisUrl === undefined
      ? createLocalBus()
      : createRedisBus(
          { log },
          { url: redisUrl, stream: redisName('wakeups', environment.DATABASE_URL) },
        )
  const opening = openStore(environment, configured, { log, bus })
  const check = (config: Config) =>
    refuseWrongFacts({ log, silent: createLog('silent'), now: Date.now }, config, checkSeconds)
  // Runs while the store opens.
  const checking = configured && check(configured)
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
    const [devnet, store] = await Promise.all([starting, opening, checking])
    const config = configured ?? parseConfig(devnet?.config, 'The devnet’s configuration')
    if (configured === undefined) await check(config)
    const listed = configuredList ?? (await readListedCurrencies({ log, directory }, config))
    const feed = replicaPlaceOf(environment)
    return { devnet, config, listed, trustedDocuments, signers, bus, feed, store, stop }
  } catch (error) {
    await stop().catch(() => undefined)
    throw error
  }
}

/** Whether this process needs no node: its only role is a gateway that reads the feed. */
const needsNoNode = ({ ROLES: roles, MARKET_SOURCE: source }: Environment): boolean =>
  source === 'feed' && roles.size === 1 && roles.has('gateway')

function replicaPlaceOf({
  REDIS_URL: url,
  DATABASE_URL: databaseUrl,
  FEED_SECRET: secret,
}: Environment): ReplicaPlace | undefined {
  if (url === undefined || databaseUrl === undefined || secret === undefined) return undefined
  return { url, secret, streamPrefix: redisName('feed', databaseUrl) }
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
  const { startDevnet } = await devnetPart(import('#src/devnet/startDevnet.ts'))
  // A Postgres server opens or fails quickly. The devnet starts only once it is open.
  if (databaseUrl !== undefined) await opening
  return devnetPart(
    startDevnet({ log, hasSvm: true, directory, claimed: opening, traffic: traffic === '1' }),
  )
}

async function ownSigners(
  environment: Environment,
  configured: Config | undefined,
): Promise<Signers | undefined> {
  // Without chains there is nothing to fill.
  if (!environment.ROLES.has('solver') || configured?.chains.length === 0) return undefined
  if (configured !== undefined) return readSigners(configured, environment)
  const { solver, relayer } = await devnetPart(import('#src/devnet/accounts.ts'))
  const devnetKeys = { solver: solver.privateKey, relayer: relayer.privateKey }
  return readSigners({ solver: { address: solver.address }, relayer, devnetKeys }, environment)
}

/** The devnet is asked for, and this installation lacks its files or packages. */
class DevnetMissingError extends Error {
  readonly code = 'DEVNET_NOT_INSTALLED'

  constructor() {
    super(
      'CONFIG names no configuration, and this installation has no devnet (DEVNET_NOT_INSTALLED): set CONFIG, or run `npm install` without --omit=optional',
    )
    this.name = 'DevnetMissingError'
  }
}

/** A part of the devnet. Images for real chains have no files of it, and `--omit=optional` leaves out its packages. */
async function devnetPart<Part>(loading: Promise<Part>): Promise<Part> {
  try {
    return await loading
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    throw new DevnetMissingError()
  }
}

/**
 * Listens for a moment, so that a port that cannot be used fails the start at once.
 * @throws Error that names the variable to change
 */
async function checkPort({ PORT: port, HOST: host }: Environment): Promise<void> {
  const server = createServer()
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new Error(problems[code]?.(host, port) ?? `Cannot listen at ${host}:${port}: ${message}`)
  }
  server.close()
  await once(server, 'close')
}

const noAddress = (host: string) => `HOST: this machine has no address ${host}`

const problems: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `PORT: another process listens at ${host}:${port}`,
  EACCES: (_, port) => `PORT: this user may not listen at port ${port}`,
  EADDRNOTAVAIL: noAddress,
  ENOTFOUND: noAddress,
}
