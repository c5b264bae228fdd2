import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { type ChainConfig, type Config, readConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'

/** The environment of a command: it names the database, or the directory of the embedded one. */
type Environment = Parameters<typeof readEnvironment>[0]

/** Runs `use` with the request store that the environment names, and closes the store. */
export async function withStore<Result>(
  environment: Environment,
  use: (store: RequestStore) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = readEnvironment(environment)
  const store = await openRequestStore(
    { log: createLog('warn'), bus: createLocalBus() },
    { directory, ...(databaseUrl !== undefined && { databaseUrl }) },
  )
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

/** Runs `use` with the request store and a client of the chain, and closes both. */
export async function withChain<Result>(
  environment: Environment,
  chain: ChainConfig,
  use: (ports: Readonly<{ client: ChainClient; store: RequestStore }>) => Promise<Result>,
): Promise<Result> {
  const client = createChainClient(chain, createLog('silent'))
  try {
    return await withStore(environment, (store) => use({ client, store }))
  } finally {
    client.close()
  }
}

/** The configuration at `path`, and its chain with this id. @throws Error if there is no such chain */
export function readChain(
  path: string,
  id: string,
): Readonly<{ config: Config; chain: ChainConfig }> {
  const config = readConfig(path)
  const chain = config.chains.find((each) => String(each.id) === id)
  if (chain === undefined) throw new Error(`${path} does not configure chain ${id}`)
  return { config, chain }
}
