import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import type { Log } from '#src/config/log.ts'
import { ignoreFailure } from '#src/core/errors.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import { decodeDepositoryRecord } from '#src/protocol/svm/depository/depositoryState.ts'
import { recordBytes } from '#src/protocol/svm/rent.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { parseSvmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import type { SvmTracked } from './depositoryEvents.ts'
import { createSvmEventReader } from './svmEventReader.ts'
import { createSvmReconciler } from './svmReconciler.ts'

type Deps = Readonly<{
  client: SvmClient
  log: Log
  store: RequestStore
  /** Unix time in milliseconds. */
  now: () => number
}>

/** A record of the depository. `slot`: of its deposit. */
type RecordAt = Readonly<{ record: Pubkey; slot: bigint }>

/** What the records told, and the final slot from which the tracker follows the chain. */
export type Skipped = Readonly<{
  slot: bigint
  found: number
  /** Records whose deposit or payout no node has a transaction of. */
  missing: readonly RecordAt[]
  isSaved: boolean
}>

/** Deposits that are read together. */
const pageSize = 1_000
const endOfTime = Number.MAX_SAFE_INTEGER

/**
 * Skips the history that no node has any more. Every deposit that is still owed something has a record on chain: those
 * that the store lacks, and payouts of those that it has, are read by the histories of their records. Saves nothing if
 * some have no transaction, unless `leaves` is set: such a deposit is not credited, and its depositor can take it back.
 * @throws Error if the chain was never followed; what the store and the RPC throw
 */
export async function skipHistory(
  deps: Deps,
  tracked: SvmTracked,
  { leaves }: Readonly<{ leaves: boolean }>,
): Promise<Skipped> {
  const { client, store } = deps
  const { chainId, genesis } = tracked
  const cursor = await store.cursor(chainId)
  if (cursor === undefined) throw new Error('The database has not followed the chain yet')
  const reader = createSvmEventReader(deps, tracked)
  // Read first: later deposits are in the history after it.
  const head = await reader.readHead()
  const records = await readRecords(deps, tracked)
  const changes = [
    ...(await unseen(deps, tracked, records)),
    ...(await paid(deps, tracked, records)),
  ]
  const found = await Promise.all(
    changes.map(async (at) => ({ at, signatures: await transactionsOf(client, at) })),
  )
  const missing = found.flatMap(({ at, signatures }) => (signatures.length === 0 ? [at] : []))
  const skipped = { slot: head.slot, found: found.length - missing.length, missing }
  if (missing.length > 0 && !leaves) return { ...skipped, isSaved: false }
  const signatures = new Set(found.flatMap((each) => each.signatures))
  const named = [...signatures].map((signature) => ({ signature, error: undefined }))
  const events = await reader.read(named, head)
  const { reconcile } = createSvmReconciler(deps, tracked)
  const block = { number: head.slot, hash: genesis }
  await reconcile(
    { ...events, head: head.slot, processedUntil: undefined, cursor: { ...cursor, block } },
    head.exitSeconds,
  )
  return { ...skipped, isSaved: true }
}

/** All records of the depository that an endpoint has, with the slots of their deposits. */
async function readRecords(
  { client }: Deps,
  { program }: SvmTracked,
): Promise<ReadonlyMap<Pubkey, bigint>> {
  const read = (rpc: Pick<SvmRpc, 'getProgramAccounts'>) =>
    rpc.getProgramAccounts(program, Number(recordBytes), 'finalized')
  const lists = await Promise.all(client.endpoints.map((each) => read(each).catch(ignoreFailure)))
  const answers = lists.flatMap((each) => (each === undefined ? [] : [each]))
  // If no endpoint answers, this throws why.
  const accounts = answers.length > 0 ? answers.flat() : await read(client)
  return new Map(
    accounts.flatMap(({ pubkey, account }) => {
      const record = decodeDepositoryRecord(program, account)
      return record === undefined ? [] : [[pubkey, record.slot] as const]
    }),
  )
}

/** The records of deposits that the store lacks. */
async function unseen(
  { store }: Deps,
  { chainId }: SvmTracked,
  records: ReadonlyMap<Pubkey, bigint>,
): Promise<readonly RecordAt[]> {
  const stored = await store.depositsOfRecords(chainId, [...records.keys()])
  const known = new Set(stored.map(({ depositId }) => nameOf(parseSvmDepositId(depositId))))
  return [...records]
    .map(([record, slot]) => ({ record, slot }))
    .filter((each) => !known.has(nameOf(each)))
}

/** The records that the depository has closed, of stored deposits that were not paid out. */
async function paid(
  { store }: Deps,
  { chainId }: SvmTracked,
  records: ReadonlyMap<Pubkey, bigint>,
): Promise<readonly RecordAt[]> {
  const open = [...(await store.nearExit(chainId, endOfTime))]
  for (let after: string | undefined; ; ) {
    const page = { limit: pageSize, ...(after !== undefined && { after }) }
    const refundable = await store.refundable(chainId, endOfTime, page)
    open.push(...refundable)
    if (refundable.length < pageSize) break
    after = refundable.at(-1)?.depositId
  }
  return open
    .map(({ depositId }) => parseSvmDepositId(depositId))
    .filter(({ record, slot }) => records.get(record) !== slot)
}

const nameOf = ({ record, slot }: RecordAt): string => `${record} ${slot}`

/** The successful transactions of a record from its deposit on, as any node has them. */
async function transactionsOf(
  { endpoints }: SvmClient,
  { record, slot }: RecordAt,
): Promise<readonly SvmSignature[]> {
  const histories = await Promise.all(
    endpoints.map((each) => each.getHistory(record, { slot }).catch(ignoreFailure)),
  )
  return histories
    .flatMap((history) => history ?? [])
    .flatMap(({ signature, error }) => (error === undefined ? [signature] : []))
}
