import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseArgs } from 'node:util'
import { type Environment, readEnvironment } from '#src/environment.ts'
import { createLog, type Log } from '#src/log.ts'
import { type Services, startServices } from '#src/system/services.ts'
import { readSigners } from '#src/system/signers.ts'
import { startSystem } from '#src/system/startSystem.ts'
import { startUpLines } from '#src/system/startUpLines.ts'

/**
 * Starts the parts that the environment names, and listens. Returns what stops them all.
 * @param isDevnet whether the configured chains may start anew under their ids (`npm start -- --devnet`).
 */
async function start(
  environment: Environment,
  log: Log,
  isDevnet: boolean,
): Promise<() => Promise<void>> {
  const services = await startServices(environment, log)
  try {
    const stop = await startParts(services, { ...environment, isDevnet }, log)
    return async () => {
      await stop()
      await services.stop()
    }
  } catch (error) {
    await services.stop()
    throw error
  }
}

async function startParts(
  services: Services,
  environment: Environment & { isDevnet: boolean },
  log: Log,
) {
  const { isDevnet, ROLES: roles, PORT: port, HOST: host, DATABASE_URL: databaseUrl } = environment
  const { store, bus, config, listed, trustedDocuments } = services
  const signers = roles.has('solver') ? await readSigners(services, environment) : undefined
  const system = startSystem(
    { log, store, bus, now: () => performance.now() },
    {
      config,
      listed,
      roles,
      isDevnet: services.devnet !== undefined || isDevnet,
      trustedDocuments,
      ...signers,
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
  const { devnet = false } = parseArgs({ options: { devnet: { type: 'boolean' } } }).values
  const stop = await start(environment, log, devnet)
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
