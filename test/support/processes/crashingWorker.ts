import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { readConfig } from '#src/config/config.ts'
import { defaultRoles } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { solver } from '#src/devnet/accounts.ts'
import { readTokenLists } from '#src/market/currencies/tokenList.ts'
import { decodeAdvanceNonce } from '#src/protocol/svm/systemProgram.ts'
import { decodeTransaction } from '#src/protocol/svm/transaction.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import type { Batch, RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { loadSvm } from '#src/system/loadSvm.ts'
import { startSystem } from '#src/system/startSystem.ts'
import type { SvmSystem } from '#src/system/svm/svmSystem.ts'

// Runs Crossquote in a separate process, on a devnet of another process. CRASH_AT is a list of moments, each in the
// form `<kind>:<before or after>`, where a kind may end with `@<chain id>`. The process kills itself at the first one that
// occurs, and prints it.

type OnChain = Readonly<{ chainId: ChainId }>

/** The kinds of change in a batch. A moment is just before or just after the save of one kind. */
const kinds: Readonly<Record<string, (batch: Batch) => readonly OnChain[]>> = {
  credit: ({ deposits = [] }) => deposits.filter(({ status }) => status === 'credited'),
  fill: newOnes('fill'),
  due: ({ deposits = [] }) => deposits.filter(({ status }) => status === 'refundable'),
  refund: newOnes('refund'),
  settlement: newOnes('settlement'),
  mined: ({ transactions = [] }) => transactions.filter(({ status }) => status === 'mined'),
  final: ({ transactions = [] }) => transactions.filter(({ status }) => status === 'final'),
}

function newOnes(purpose: SolverTransaction['purpose']) {
  return ({ transactions = [] }: Batch) =>
    transactions.filter((each) => each.purpose === purpose && each.version === 0)
}

// biome-ignore lint/style/noProcessEnv: this process does not start with main.ts.
const { CONFIG = '', DATA_DIRECTORY = '', DATABASE_URL, CRASH_AT = '', ROLES } = process.env
const moments = new Set(CRASH_AT.split(' '))

function pass(moment: string): void {
  if (!moments.has(moment)) return
  writeSync(process.stdout.fd, `killed at ${moment}\n`)
  process.kill(process.pid, 'SIGKILL')
}

const crashing = (store: RequestStore): RequestStore => ({
  ...store,
  save: async (batch) => {
    const about = Object.keys(kinds).flatMap((kind) => {
      const chainIds = (kinds[kind]?.(batch) ?? []).map(({ chainId }) => `${kind}@${chainId}`)
      return chainIds.length === 0 ? [] : [kind, ...chainIds]
    })
    for (const kind of about) pass(`${kind}:before`)
    const outcome = await store.save(batch)
    if (outcome === 'saved') for (const kind of about) pass(`${kind}:after`)
    return outcome
  },
})

/** Kinds of a Solana chain: `broadcast` of a stored transaction, `nonceAccounts` of those that make nonce accounts. */
function crashAtBroadcasts(svm: SvmSystem | undefined): void {
  for (const [chainId, client] of svm?.clients ?? []) {
    const { send } = client
    const crashingSend: typeof send = async (bytes) => {
      const [first] = decodeTransaction(bytes).instructions
      const isStored = first !== undefined && decodeAdvanceNonce(first) !== undefined
      const kind = `${isStored ? 'broadcast' : 'nonceAccounts'}@${chainId}`
      pass(`${kind}:before`)
      const answer = await send(bytes)
      pass(`${kind}:after`)
      return answer
    }
    Object.assign(client, { send: crashingSend })
  }
}

const log = createLog('info')
const bus = createLocalBus()
const config = readConfig(CONFIG)
const store = await openRequestStore(
  { log, bus },
  { directory: DATA_DIRECTORY, ...(DATABASE_URL !== undefined && { databaseUrl: DATABASE_URL }) },
)
const chainIds = new Set([...config.chains, ...config.svmChains].map(({ id }) => id))
const svm = await loadSvm({ log }, config, { environment: {}, isDevnet: true })
crashAtBroadcasts(svm)
const { gateway } = startSystem(
  {
    log,
    bus,
    store: crashing(store),
    now: () => performance.now(),
    time: Date.now,
  },
  {
    config,
    listed: readTokenLists(log, config.tokenList ?? [], chainIds),
    roles: new Set(defaultRoles.filter((role) => ROLES?.includes(role) ?? true)),
    account: privateKeyToAccount(solver.privateKey),
    svm,
  },
)
gateway?.server.listen(0, '127.0.0.1', () => {
  const { port } = gateway.server.address() as AddressInfo
  log.info(`http://localhost:${port}`)
  // A killed process does not flush its cache. The flush lets the next process start faster.
  flushCompileCache()
})
