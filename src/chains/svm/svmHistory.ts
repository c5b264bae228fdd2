import type { Ask } from '#src/chains/rpc/failover.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import { AppError } from '#src/core/errors.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import { type HistoryEntry, parseHistory } from './svmAnswers.ts'

/** How far a history was read. */
export type HistoryCursor = Readonly<{
  slot: bigint
  /** The last transaction that was read. Undefined: nothing of `slot` was. */
  signature?: SvmSignature | undefined
}>

/** No endpoint has all of the history, or none has reached the cursor. */
export class HistoryGapError extends AppError {
  constructor(account: Pubkey, { slot }: HistoryCursor) {
    super(
      'RPC_HTTP_ERROR',
      'No RPC endpoint has the whole history of an account at the moment.',
      {},
      `the history of ${account} since slot ${slot}`,
    )
  }
}

/** Most reads find nothing new: the first page stays small. */
const firstPage = 25
const fullPage = 1_000
/** Bounds what an endpoint that invents transactions can make us keep. */
const maxEntries = 1_000_000

/**
 * All transactions that use an account after the cursor, oldest first, failed ones too. They reach up to the final slot
 * `until`, which is not before the cursor, or further; with the commitment `confirmed`, those above it may be dropped.
 * The pages overlap, and the last one contains the cursor: so
 * an endpoint that lacks a part of the history does not go unnoticed. One that leaves out single transactions does: ask
 * several.
 * @throws HistoryGapError; RpcUnavailableError; RpcRefusedError
 */
export async function readHistory(
  { ask }: Readonly<{ ask: Ask }>,
  account: Pubkey,
  after: HistoryCursor,
  until = after.slot,
  commitment: 'confirmed' | 'finalized' = 'finalized',
): Promise<readonly HistoryEntry[]> {
  const known = new Set<SvmSignature>()
  const entries: HistoryEntry[] = []
  while (entries.length < maxEntries) {
    const limit = entries.length === 0 ? firstPage : fullPage
    const [previous, last] = entries.length < 2 ? [undefined, undefined] : entries.slice(-2)
    const options = { commitment, limit, before: previous?.signature }
    const page = await ask(
      {
        method: 'getSignaturesForAddress',
        params: [account, options],
        minHeight: until,
      },
      (answer) => readPage(parseHistory(answer), { limit, last, after, known }),
    )
    if (page === undefined) throw new HistoryGapError(account, after)
    for (const entry of page.entries) known.add(entry.signature)
    entries.push(...page.entries)
    if (page.isLast) return entries.toReversed()
  }
  throw new HistoryGapError(account, after)
}

type Page = Readonly<{ entries: readonly HistoryEntry[]; isLast: boolean }>

type Expected = Readonly<{
  limit: number
  /** The entry that the page has to begin with, if one is known. */
  last: HistoryEntry | undefined
  after: HistoryCursor
  known: ReadonlySet<SvmSignature>
}>

/**
 * The entries of a page after the cursor. Undefined if the endpoint does not have the history that leads to it.
 * @throws UnusableAnswerError
 */
function readPage(
  page: readonly HistoryEntry[],
  { limit, last, after, known }: Expected,
): Page | undefined {
  if (page.length > limit) throw new UnusableAnswerError('more transactions than asked for')
  if (page.some(({ slot }, at) => slot > (page[at - 1]?.slot ?? slot)))
    throw new UnusableAnswerError('transactions that are not in order')
  // An endpoint that does not know the transaction before the page answers with an empty list.
  if (last !== undefined && page[0]?.signature !== last.signature) return undefined
  const rest = last === undefined ? page : page.slice(1)
  if (rest.some(({ signature }) => known.has(signature)))
    throw new UnusableAnswerError('the same transactions again')
  const end = rest.findIndex(({ slot, signature }) =>
    after.signature === undefined ? slot < after.slot : signature === after.signature,
  )
  if (end >= 0) return { entries: rest.slice(0, end), isLast: true }
  const isEnd = page.length < limit
  const isPast = rest.some(({ slot }) => slot < after.slot)
  if (after.signature !== undefined && (isEnd || isPast)) return undefined
  return { entries: rest, isLast: isEnd }
}
