import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '#src/config/config.ts'
import { defaultRoles } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { solver } from '#src/devnet/accounts.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { startSystem } from '#src/system/startSystem.ts'

// Runs Crossquote in a separate process, on a devnet of another process. CRASH_AT is a list of moments, each in the
// form `<kind of change>:<before or after>`. The process kills itself at the first one that occurs, and prints it.

/** The kinds of change in a batch. A moment is just before or just after the save of one kind. */
const kinds: Readonly<Record<string, (batch: Batch) => boolean>> = {
  credit: ({ deposits = [] }) => deposits.some(({ status }) => status === 'credited'),
  fill: ({ transactions = [] }) =>
    transactions.some(({ purpose, version }) => purpose === 'fill' && version === 0),
  due: ({ deposits = [] }) => deposits.some(({ status }) => status === 'refundable'),
  refund: ({ transactions = [] }) =>
    transactions.some(({ purpose, version }) => purpose === 'refund' && version === 0),
  mined: ({ transactions = [] }) => transactions.some(({ status }) => status === 'mined'),
  final: ({ transactions = [] }) => transactions.some(({ status }) => status === 'final'),
}

function crashing(store: RequestStore, moments: ReadonlySet<string>): RequestStore {
  function pass(moment: string): void {
    if (!moments.has(moment)) return
    writeSync(process.stdout.fd, `killed at ${moment}\n`)
    process.kill(process.pid, 'SIGKILL')
  }
  return {
    ...store,
    save: async (batch) => {
      const about = Object.keys(kinds).filter((kind) => kinds[kind]?.(batch))
      for (const kind of about) pass(`${kind}:before`)
      const outcome = await store.save(batch)
      if (outcome === 'saved') for (const kind of about) pass(`${kind}:after`)
      return outcome
    },
  }
}

// biome-ignore lint/style/noProcessEnv: this process does not start with main.ts.
const { CONFIG = '', DATA_DIRECTORY = '', DATABASE_URL, CRASH_AT = '', ROLES } = process.env
const log = createLog('info')
const bus = createLocalBus()
const config = readConfig(CONFIG)
const store = await openRequestStore(
  { log, bus },
  { directory: DATA_DIRECTORY, ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }) },
)
const chainIds = new Set(config.chains.map(({ id }) => id))
const { gateway } = startSystem(
  {
    log,
    bus,
    store: crashing(store, new Set(CRASH_AT.split(' '))),
    now: () => performance.now(),
    time: Date.now,
  },
  {
    config,
    listed: readTokenLists(log, config.tokenList ?? [], chainIds),
    roles: new Set(defaultRoles.filter((role) => ROLES?.includes(role) ?? true)),
    account: privateKeyToAccount(solver.privateKey),
  },
)
gateway?.server.listen(0, '127.0.0.1', () => {
  const { port } = gateway.server.address() as AddressInfo
  log.info(`http://localhost:${port}`)
  // A killed process does not flush its cache. The flush lets the next process start faster.
  flushCompileCache()
})
