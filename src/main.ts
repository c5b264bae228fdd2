import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Environment, readEnvironment } from '#src/environment.ts'
import { createLog, type Log } from '#src/log.ts'
import { type AccountSource, readAccount } from '#src/solver/readAccount.ts'
import { type Services, startServices } from '#src/system/services.ts'
import { startSystem } from '#src/system/startSystem.ts'

/** Builds every part that this process is to run, and listens; what it gives back stops them all. */
async function start(environment: Environment, log: Log): Promise<() => Promise<void>> {
  const services = await startServices(environment, log)
  try {
    const stop = await startOver(services, environment, log)
    return async () => {
      await stop()
      await services.stop()
    }
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function startOver(services: Services, environment: Environment, log: Log) {
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
  try {
    const url = await listen(system.server, port, host)
    log.info(
      system.gateway === undefined
        ? `Health and metrics at ${url}/ready and ${url}/metrics`
        : `GraphQL and GraphiQL at ${url}/graphql, REST as ${url}/docs shows it`,
    )
  } catch (error) {
    await system.stop()
    throw error
  }
  log.info({ roles: [...roles] }, 'At work')
  void system.market?.ready().then(() => log.info('Ready: every chain’s first snapshot is in'))
  return system.stop
}

/** The devnet's own key serves where none is given. @throws SolverKeyError */
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

let log = createLog('info')
try {
  const environment = readEnvironment(process.env)
  log = createLog(environment.LOG_LEVEL)
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
