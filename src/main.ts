import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { readOptions, version } from './config/command.ts'
import { type Environment, misspelledVariables, readEnvironment } from './config/environment.ts'
import { createLog, type Log } from './config/log.ts'
import { startTracing, type Tracer } from './config/tracing/tracer.ts'
import { checkRelayer } from './solver/relayer/relayerRoles.ts'
import { limitsOf } from './system/gatewayLimits.ts'
import { loadSvm } from './system/loadSvm.ts'
import { type Services, startServices } from './system/services.ts'
import { startSystem } from './system/startSystem.ts'
import { boxOf, startUpLines } from './system/startUpLines.ts'

const defaultFormat = process.stdout.isTTY ? 'pretty' : 'json'

/** `drain` makes `/ready` fail, so that load balancers send no more requests. `stop` ends all parts. */
type Running = Readonly<{ drain: () => void; stop: () => Promise<void> }>

/**
 * Starts the parts that the environment names, and listens.
 * @param isDevnet whether the configured chains may restart from genesis with the same ids (`npm start -- --devnet`).
 */
async function start(environment: Environment, log: Log, isDevnet: boolean): Promise<Running> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: name } = environment
  const tracer = endpoint === undefined ? undefined : await startTracing(endpoint, name)
  const services = await startServices(environment, log)
  try {
    const deps = { ...services, log, tracer }
    const { drain, stop } = await startParts(deps, { ...environment, isDevnet })
    return {
      drain,
      stop: async () => {
        await stop()
        await services.stop()
        await tracer?.stop()
      },
    }
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function startParts(
  services: Services & Readonly<{ log: Log; tracer: Tracer | undefined }>,
  environment: Environment & { isDevnet: boolean },
): Promise<Running> {
  const { isDevnet, ROLES: roles, PORT: port, HOST: host, DATABASE_URL: databaseUrl } = environment
  const { log, tracer, store, bus, config, listed, signers, trustedDocuments } = services
  const system = startSystem(
    { log, store, bus, tracer, now: () => performance.now(), time: Date.now },
    {
      config,
      listed,
      roles,
      isDevnet: services.devnet !== undefined || isDevnet,
      trustedDocuments,
      limits: limitsOf(environment),
      feed: services.feed,
      svm: await loadSvm(
        { log, span: tracer?.span },
        config,
        roles.has('solver') ? { environment, isDevnet: services.devnet !== undefined } : undefined,
      ),
      readsFeed: environment.MARKET_SOURCE === 'feed',
      ...signers,
      ...(databaseUrl !== undefined && { databaseUrl }),
    },
  )
  const url = await checkRelayer({ log, clients: system.clients }, config)
    .then(() => listen(system.server, port, host))
    .catch(async (error: unknown) => {
      await system.stop()
      throw error
    })
  log.info({ roles: [...roles], version: version() }, `Listening at ${url}`)
  let isStopping = false
  const announce = () => {
    const devnet = services.devnet?.description
    const lines = startUpLines({ url, environment, devnet })
    if (showsBox(environment)) process.stdout.write(`${boxOf(lines)}\n`)
    else for (const line of lines) log.info(line)
    // The start leaves 30 MB of garbage, which V8 would collect late. `npm start` exposes this function.
    void globalThis.gc?.({ execution: 'async' })
  }
  if (system.market === undefined) announce()
  else
    void system.ready().then(() => {
      // Nothing is ready if the process stops before its market is read.
      if (isStopping) return
      log.info('Ready: the market holds a snapshot of every chain')
      announce()
    })
  return {
    drain: () => {
      isStopping = true
      system.drain()
    },
    stop: system.stop,
  }
}

/** The start is shown to a person, and not to a program that reads JSON. */
const showsBox = ({ LOG_LEVEL: level, LOG_FORMAT: format = defaultFormat }: Environment): boolean =>
  format === 'pretty' && (level === 'info' || level === 'debug')

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

/**
 * Kills this process after `seconds`, unless it has ended by then. `process.exit` would wait for threads, and a thread
 * whose disk does not answer never ends. Acknowledged data is stored, and child processes end with this process.
 */
async function killAfter(seconds: number, log: Log): Promise<void> {
  await setTimeout(seconds * 1_000)
  log.error(`Killed: did not stop within ${seconds} seconds (SHUTDOWN_SECONDS)`)
  process.kill(process.pid, 'SIGKILL')
}

const command = {
  usage: 'npm start [-- --devnet]',
  help: `
Starts Crossquote. Without the variable CONFIG it starts a devnet: four local chains with all that they need.

  --devnet   the chains of CONFIG are a devnet, and may restart from their first block
  --version  prints the version

Variables: CONFIG, PORT, ROLES, DATABASE_URL, REDIS_URL, DATA_DIRECTORY, LOG_LEVEL and more: docs/configuration.md.`,
  options: { devnet: { type: 'boolean', default: false } },
} as const

let log = createLog('info', defaultFormat)
try {
  const given = readOptions(command)
  // `--help` and `--version` are answered.
  if (given === undefined) process.exit(0)
  const environment = readEnvironment(process.env)
  log = createLog(environment.LOG_LEVEL, environment.LOG_FORMAT ?? defaultFormat)
  for (const line of misspelledVariables(process.env)) log.warn(line)
  const { drain, stop } = await start(environment, log, given.values.devnet)
  const drainMs = environment.DRAIN_SECONDS * 1000
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log.info(`Stopping: received ${signal}`)
      void killAfter(environment.DRAIN_SECONDS + environment.SHUTDOWN_SECONDS, log)
      drain()
      const drained = drainMs > 0 ? setTimeout(drainMs) : Promise.resolve()
      drained.then(stop).then(
        () => process.exit(0),
        (error) => {
          log.error({ err: error }, 'Some part did not stop cleanly')
          process.exit(1)
        },
      )
    })
} catch (error) {
  log.error((error as Error).message)
  process.exit(1)
}
