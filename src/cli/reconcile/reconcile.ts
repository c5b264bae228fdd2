import { parseArgs } from 'node:util'
import { countAt } from '#src/chains/read/transactionCount.ts'
import { createChainClient } from '#src/chains/rpc/chainClient.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import type { Address } from '#src/core/units/address.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { followFrom } from './followFrom.ts'
import { reconcileNonces } from './reconcileNonces.ts'

const usage =
  'Usage: npm run reconcile -- --config <file> --chain <id> [--account solver|relayer] [--accept <nonce>]\n   or: npm run reconcile -- --config <file> --chain <id> --from <block>'

/** `npm run reconcile`: see docs/operations.md. */
async function reconcile(): Promise<string> {
  const text = { type: 'string' } as const
  const options = { config: text, chain: text, account: text, accept: text, from: text } as const
  const { config: path, chain: id, account: owner, accept, from } = parseArgs({ options }).values
  const areNumbers = [accept, from].every((each) => each === undefined || /^\d{1,15}$/.test(each))
  const isOneTask = from === undefined || (accept === undefined && owner === undefined)
  if (path === undefined || id === undefined || !areNumbers || !isOneTask) throw new Error(usage)
  const config = readConfig(path)
  const { chains } = config
  const account = accountOf(config, owner ?? 'solver')
  const chain = chains.find((each) => String(each.id) === id)
  if (chain === undefined) throw new Error(`${path} does not configure chain ${id}`)
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = readEnvironment(process.env)
  const log = createLog('silent')
  const client = createChainClient(chain, log)
  const store = await openRequestStore(
    { log, bus: createLocalBus() },
    { directory, ...(databaseUrl !== undefined && { databaseUrl }) },
  )
  try {
    if (from !== undefined) {
      await followFrom({ client, store }, chain, BigInt(from))
      return `The tracker will follow ${chain.displayName} from block ${from}. Next, accept the nonces of the account.`
    }
    const { outcome, mined, pending, stored } = await reconcileNonces(
      { store, countAt: (block) => countAt(client, account, block), now: Date.now },
      { chainId: chain.id, account, ...(accept !== undefined && { accept: Number(accept) }) },
    )
    const facts = `${account} on ${chain.displayName}: next nonce ${mined} in blocks, ${pending} with waiting transactions, ${stored} in the database.`
    return `${facts}\n${adviceOn(outcome, mined)}`
  } finally {
    await store.close()
    client.close()
  }
}

function accountOf(
  { solver, relayer }: Pick<Config, 'solver' | 'relayer'>,
  owner: string,
): Address {
  if (owner === 'solver') return solver.address
  if (owner !== 'relayer') throw new Error(usage)
  if (relayer === undefined) throw new Error('The configuration names no relayer')
  return relayer.address
}

function adviceOn(outcome: Awaited<ReturnType<typeof reconcileNonces>>['outcome'], next: number) {
  switch (outcome) {
    case 'known':
      return 'The database has every transaction of the account. Nothing needs to be done.'
    case 'unknown':
      return `The database lacks some of these transactions, so the account sends nothing on this chain. Do the checks of docs/operations.md, then run this again with --accept ${next}.`
    case 'accepted':
      return 'Accepted: the account sends transactions again.'
  }
}

try {
  process.stdout.write(`${await reconcile()}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
