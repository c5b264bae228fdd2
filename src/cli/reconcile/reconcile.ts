import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import { countAt } from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { readChain, withChain } from '#src/cli/openStore.ts'
import { runCommand, UsageError } from '#src/config/command.ts'
import type { ChainConfig, Config } from '#src/config/config.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { NonceStore } from '#src/requests/payoutStore.ts'
import type { BatchStore } from '#src/requests/requestStore.ts'
import { newestFinal } from '#src/requests/tracker/findStart.ts'
import type { CursorReads } from '#src/requests/trackingStore.ts'

const command = {
  usage:
    'npm run reconcile -- --config <file> --chain <id> [--account solver|relayer] [--accept <nonce>]\n   or: npm run reconcile -- --config <file> --chain <id> --from <block>\n   or: npm run reconcile -- --config <file> --chain <id> --records [--leave]',
  help: `
Compares the nonces of an account with those in the database, after a restored backup.

  --config FILE   the configuration
  --chain ID      the chain
  --account NAME  solver or relayer (solver)
  --accept NONCE  accepts all transactions below this nonce, so that the account sends again
  --from BLOCK    lets the tracker of a new database follow the chain from this block
  --records       skips the history of a Solana chain that no node has: reads open deposits by their records
  --leave         leaves deposits without a transaction to their depositors`,
  options: {
    config: { type: 'string' },
    chain: { type: 'string' },
    account: { type: 'string' },
    accept: { type: 'string' },
    from: { type: 'string' },
    records: { type: 'boolean' },
    leave: { type: 'boolean' },
  },
} as const

type Given = Readonly<
  Partial<Record<'config' | 'chain' | 'account' | 'accept' | 'from', string | undefined>> &
    Partial<Record<'records' | 'leave', boolean | undefined>>
>

/** `npm run reconcile`: see docs/operations.md. */
async function reconcile(given: Given): Promise<string> {
  const { config: path, chain: id, account: owner, accept, from } = given
  const areNumbers = [accept, from].every((each) => each === undefined || /^\d{1,15}$/.test(each))
  const isOneTask = from === undefined || (accept === undefined && owner === undefined)
  if (path === undefined || id === undefined || !areNumbers || !isOneTask) throw new UsageError()
  if (given.records) {
    const { reconcileRecords } = await import('./reconcileRecords.ts')
    return reconcileRecords(path, id, { environment: process.env, leaves: given.leave === true })
  }
  const { config, chain } = readChain(path, id)
  const account = accountOf(config, owner ?? 'solver')
  return withChain(process.env, chain, async ({ client, store }) => {
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
  })
}

function accountOf({ solver, relayer }: Config, owner: string): Address {
  if (owner === 'solver') return solver.address
  if (owner !== 'relayer') throw new UsageError()
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

type Deps = Readonly<{
  client: Rpc
  store: CursorReads & BatchStore
}>

class CannotFollowFromError extends Error {
  constructor(block: bigint, reason: string) {
    super(`The chain cannot be followed from block ${block}: ${reason}`)
    this.name = 'CannotFollowFromError'
  }
}

/**
 * Makes the tracker of a new database follow a chain from this block, in place of the newest final block. The database
 * does not have the requests of the deposits that the tracker then finds. A deposit is settled if its order is filled,
 * and otherwise refunded to its depositor.
 * @throws CannotFollowFromError if the block is not final, or the database has followed the chain already
 */
export async function followFrom(
  { client, store }: Deps,
  { id: chainId, finalityDepth }: Pick<ChainConfig, 'id' | 'finalityDepth'>,
  block: bigint,
): Promise<void> {
  const cursor = await store.cursor(chainId)
  if (cursor !== undefined)
    throw new CannotFollowFromError(
      block,
      `this database has followed it to block ${cursor.block.number}. Use a new one, before its first start`,
    )
  const final = await newestFinal(client, finalityDepth, new AbortController().signal)
  if (block > final.number)
    throw new CannotFollowFromError(block, `the newest final block is ${final.number}`)
  const [genesis, start] = [await readHeaderAt(client, 0n), await readHeaderAt(client, block)]
  if (genesis === undefined || start === undefined)
    throw new CannotFollowFromError(block, 'no node has it')
  const { number, hash } = start
  await store.save({ cursor: { chainId, genesis: genesis.hash, block: { number, hash } } })
}

type ReconcileNoncesDeps = Readonly<{
  store: NonceStore
  /** Number of the account's transactions in blocks; `pending` includes those in the mempool. */
  countAt: (block: 'latest' | 'pending') => Promise<number>
  /** Unix time in milliseconds. */
  now: () => number
}>

/** The account's next nonce: by its transactions in blocks, with those in the mempool, and in the store. */
type Nonces = Readonly<{ mined: number; pending: number; stored: number }>

type Reconciled = Nonces &
  Readonly<{
    /** `known`: the store has every transaction. `unknown`: it lacks some. `accepted`: the operator accepts these. */
    outcome: 'known' | 'unknown' | 'accepted'
  }>

class NonceNotAcceptedError extends Error {
  constructor(nonce: number, { mined, pending }: Nonces) {
    super(
      `The nonce ${nonce} is not accepted: the next nonce of the account is ${mined} in blocks, and ${pending} with its waiting transactions. Wait until both are ${nonce}.`,
    )
    this.name = 'NonceNotAcceptedError'
  }
}

/**
 * Compares an account's nonces on a chain with the store's. With `accept`, accepts every transaction below this nonce
 * that the store does not have, so that the account can send again.
 * @throws NonceNotAcceptedError unless `accept` is the chain's next nonce and nothing waits in the mempool
 */
export async function reconcileNonces(
  { store, countAt, now }: ReconcileNoncesDeps,
  { chainId, account, accept }: Readonly<{ chainId: ChainId; account: Address; accept?: number }>,
): Promise<Reconciled> {
  const [mined, pending] = [await countAt('latest'), await countAt('pending')]
  const nonces = { mined, pending, stored: await store.nextNonce(chainId, account) }
  if (Math.max(mined, pending) <= nonces.stored) return { ...nonces, outcome: 'known' }
  if (accept === undefined) return { ...nonces, outcome: 'unknown' }
  if (accept !== mined || accept !== pending) throw new NonceNotAcceptedError(accept, nonces)
  await store.acceptNonce({ chainId, account, nonce: accept, acceptedAt: Math.floor(now() / 1000) })
  return { ...nonces, outcome: 'accepted' }
}

await runCommand(command, ({ values }) => reconcile(values))
