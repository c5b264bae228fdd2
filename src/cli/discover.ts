import { createChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SearchStore } from '#src/chains/search/searchStore.ts'
import { runCommand, UsageError } from '#src/config/command.ts'
import { readConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog, type Log } from '#src/config/log.ts'
import { Discovery } from '#src/market/pools/discovery/discoverPools.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'

const command = {
  usage: 'npm run discover -- --config <file> [--chain <id>]',
  help: `
Searches chains for the pools of configured factories, before the first start. The next run continues a stopped search.

  --config FILE  the configuration
  --chain ID     only this chain`,
  options: { config: { type: 'string' }, chain: { type: 'string' } },
} as const

type Chain = ReturnType<typeof readConfig>['chains'][number]

type Given = Readonly<{ config?: string | undefined; chain?: string | undefined }>

/** `npm run discover -- --config <file> [--chain <id>]`: see docs/operations.md. */
async function discover({ config: path, chain: id }: Given, signal: AbortSignal): Promise<void> {
  if (path === undefined) throw new UsageError()
  const chains = readConfig(path).chains.filter(
    (each) => id === undefined || String(each.id) === id,
  )
  if (chains.length === 0) throw new Error(`${path} does not configure chain ${id ?? ''}`)
  const environment = readEnvironment(process.env)
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory, LOG_LEVEL: level } = environment
  const log = createLog(level, environment.LOG_FORMAT ?? 'json')
  const store = await openRequestStore(
    { log, bus: createLocalBus() },
    { directory, ...(databaseUrl !== undefined && { databaseUrl }) },
  )
  try {
    await Promise.all(chains.map((chain) => discoverPools({ log, store, signal }, chain)))
  } finally {
    await store.close()
  }
}

async function discoverPools(
  { log, store, signal }: Readonly<{ log: Log; store: SearchStore; signal: AbortSignal }>,
  chain: Chain,
): Promise<void> {
  const client = createChainClient(chain, log)
  try {
    const now = () => performance.now()
    const discovery = new Discovery({ client, log, store, now }, chain)
    await discovery.prepare(signal)
    const outcome = signal.aborted
      ? 'stopped; the next run continues from here'
      : `${discovery.foundCount()} pools are stored`
    process.stdout.write(`${chain.displayName}: ${outcome}\n`)
  } finally {
    client.close()
  }
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
await runCommand(command, async ({ values }) => {
  await discover(values, stopping.signal)
  return stopping.signal.aborted ? 130 : undefined
})
