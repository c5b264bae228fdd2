import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Environment, readEnvironment } from '#src/environment.ts'
import { createLog, type Log } from '#src/log.ts'
import { type AccountSource, readAccount } from '#src/solver/readAccount.ts'
import { type Services, startServices } from '#src/system/services.ts'
import { startSystem } from '#src/system/startSystem.ts'
import { startUpLines } from '#src/system/startUpLines.ts'

/** Starts the parts that the environment names, and listens. Returns what stops them all. */
async function start(environment: Environment, log: Log): Promise<() => Promise<void>> {
  const services = await startServices(environment, log)
  try {
    const stop = await startParts(services, environment, log)
    return async () => {
      await stop()
      await services.stop()
    }
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function startParts(services: Services, environment: Environment, log: Log) {
  const { ROLES: roles, PORT: port, HOST: host, DATABASE_URL: databaseUrl } = environment
  const { store, bus, config, listed } = services
  const account = roles.has('solver') ? await accountOf(services, environment) : undefined
  const system = startSystem(
    { log, store, bus, now: () => performance.now() },
    {
      config,
      listed,
      roles,
      ...(account !== undefined && { account }),
      ...(databaseUrl !== undefined && { databaseUrl }),
    },
  )
  const url = await listen(system.server, port, host).catch(async (error: unknown) => {
    await system.stop()
    throw error
  })
  log.info({ roles: [...roles] }, `Listening at ${url}`)
  const announce = () => {
    const devnet = services.devnet?.description
    for (const line of startUpLines({ url, environment, devnet })) log.info(line)
  }
  if (system.market === undefined) announce()
  else
    void system.market.ready().then(() => {
      log.info('Ready: the market holds a snapshot of every chain')
      announce()
    })
  return system.stop
}

/** The account of the solver's key, which is the devnet's own where none is set. @throws SolverKeyError */
async function accountOf({ devnet, config }: Services, environment: Environment) {
  return readAccount(sourceOf(environment, devnet), config.solver.address)
}

function sourceOf(environment: Environment, devnet: Services['devnet']): AccountSource {
  const { SOLVER_PRIVATE_KEY, SOLVER_KEYSTORE: path, SOLVER_KEYSTORE_PASSWORD } = environment
  const privateKey = SOLVER_PRIVATE_KEY ?? devnet?.description.solver.privateKey
  if (path !== undefined)
    return { kind: 'keystore', path, password: SOLVER_KEYSTORE_PASSWORD ?? '' }
  if (privateKey !== undefined) return { kind: 'privateKey', privateKey }
  throw new Error(
    'The solver has no key: set SOLVER_PRIVATE_KEY or SOLVER_KEYSTORE, or leave solver out of ROLES.',
  )
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  server.listen(port, host)
  await once(server, 'listening')
  return `http://localhost:${(server.address() as AddressInfo).port}`
}

const usualFormat = process.stdout.isTTY ? 'pretty' : 'json'
let log = createLog('info', usualFormat)
try {
  const environment = readEnvironment(process.env)
  log = createLog(environment.LOG_LEVEL, environment.LOG_FORMAT ?? usualFormat)
  const stop = await start(environment, log)
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      log.info(`Stopping: received ${signal}`)
      stop().then(
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
