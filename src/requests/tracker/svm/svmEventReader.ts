import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { HistoryEntry } from '#src/chains/svm/svmAnswers.ts'
import { type SvmRpc, UnsupportedVersionError } from '#src/chains/svm/svmRpc.ts'
import type { SvmTransaction } from '#src/chains/svm/svmTransaction.ts'
import type { Log } from '#src/config/log.ts'
import { ignoreFailure, reasonOf } from '#src/core/errors.ts'
import { type SvmSignature, toSvmSignature } from '#src/core/units/svm/signature.ts'
import { isEvmHash, type TxId } from '#src/core/units/txId.ts'
import { decodeClock } from '#src/protocol/svm/clock.ts'
import { configAddress, vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeDepositoryConfig } from '#src/protocol/svm/depository/depositoryState.ts'
import { sysvars } from '#src/protocol/svm/programIds.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import { type DepositoryEvents, depositoryEvents, type SvmTracked } from './depositoryEvents.ts'
import { mustFind } from './landedTransactions.ts'

type Deps = Readonly<{
  client: Pick<SvmRpc, 'getAccounts' | 'getHistory' | 'getTransaction'>
  log: Log
}>

/** The newest final block. */
export type SvmHead = Readonly<{
  slot: bigint
  /** Unix time in seconds. */
  seconds: number
  /** From a deposit to its exit, as the depository is configured. */
  exitSeconds: number
}>

type Named = Pick<HistoryEntry, 'signature' | 'error'>

/** Reads the events of the depository of a chain. Each method throws what the RPC throws. */
export type SvmEventReader = Readonly<{
  /** @throws UnusableAnswerError while the depository is not initialized */
  readHead: () => Promise<SvmHead>
  /**
   * The transactions of the vault after the cursor, oldest first. `ahead`: those that are not final at `until`.
   * @throws HistoryGapError
   */
  readHistory: (
    cursor: Cursor,
    until: bigint,
  ) => Promise<Readonly<Record<'final' | 'ahead', readonly HistoryEntry[]>>>
  /** The final ones among transactions that clients have named. */
  readNamed: (hashes: readonly TxId[]) => Promise<readonly Named[]>
  /** @throws UnusableAnswerError if no endpoint has a transaction */
  read: (transactions: readonly Named[], head: SvmHead) => Promise<DepositoryEvents>
  /** The deposits of transactions that need not be final. Leaves out those that no endpoint has. Never throws. */
  readSeen: (
    transactions: readonly HistoryEntry[],
    head: SvmHead,
  ) => Promise<ReadonlyMap<SvmSignature, DepositoryEvents['deposits']>>
}>

export function createSvmEventReader({ client, log }: Deps, tracked: SvmTracked): SvmEventReader {
  const { chainId, program } = tracked
  const vault = vaultAddress(program)
  const config = configAddress(program)

  /** Undefined if it cannot be read: no wallet makes such a transaction for a quote. */
  async function find(signature: SvmSignature): Promise<SvmTransaction | undefined> {
    try {
      return await mustFind(client, signature)
    } catch (error) {
      if (!(error instanceof UnsupportedVersionError)) throw error
      log.warn({ chainId, signature, reason: reasonOf(error) }, 'Skips a transaction')
      return undefined
    }
  }

  async function readOne({ signature }: Named, head: SvmHead): Promise<DepositoryEvents> {
    const transaction = await find(signature)
    if (transaction === undefined) return { deposits: [], payouts: [] }
    const { blockTime: seconds = head.seconds } = transaction
    const { exitSeconds } = head
    const events = depositoryEvents(tracked, transaction, { seconds, exitSeconds })
    if (events !== undefined) return events
    log.error(
      { chainId, signature },
      'The deposits and payouts of a transaction do not match its balances; they are ignored',
    )
    return { deposits: [], payouts: [] }
  }

  return {
    readHead: async () => {
      const { slot, accounts } = await client.getAccounts([sysvars.clock, config], 'finalized')
      const [clock, state] = accounts
      const seconds = clock && decodeClock(clock)
      const known = state && decodeDepositoryConfig(program, state)
      if (seconds === undefined) throw new UnusableAnswerError('no node has the clock')
      if (known === undefined) throw new UnusableAnswerError('the depository is not initialized')
      return { slot, seconds: Number(seconds), exitSeconds: Number(known.exitSeconds) }
    },
    readHistory: async ({ genesis, block: { number: slot, hash } }, until) => {
      const isStart = hash === genesis
      const after = isStart ? { slot } : { slot, signature: toSvmSignature(hash) }
      // The endpoint that told the head may be behind.
      const isBehind = until < slot
      const height = isBehind ? slot : until
      const entries = await client.getHistory(vault, after, height, 'confirmed')
      const [final, ahead] = partition(entries, (each) => each.slot <= height)
      return { final, ahead }
    },
    readNamed: async (hashes) => {
      const signatures = hashes.filter((hash) => !isEvmHash(hash)).map(toSvmSignature)
      const found = await Promise.all(
        signatures.map((signature) =>
          client.getTransaction(signature, 'finalized').catch((error: unknown) => {
            if (!(error instanceof UnsupportedVersionError)) throw error
            return undefined
          }),
        ),
      )
      return found.flatMap((each) => each ?? [])
    },
    read: async (transactions, head) => {
      const successful = transactions.filter(({ error }) => error === undefined)
      const events = await Promise.all(successful.map((each) => readOne(each, head)))
      return {
        deposits: events.flatMap(({ deposits }) => deposits),
        payouts: events.flatMap(({ payouts }) => payouts),
      }
    },
    readSeen: async (transactions, { seconds: now, exitSeconds }) => {
      const found = await Promise.all(
        transactions.map(async ({ signature, error }) => {
          if (error !== undefined) return [[signature, []] as const]
          const transaction = await client
            .getTransaction(signature, 'confirmed')
            .catch(ignoreFailure)
          if (transaction === undefined) return []
          const times = { seconds: transaction.blockTime ?? now, exitSeconds }
          const { deposits = [] } = depositoryEvents(tracked, transaction, times) ?? {}
          return [[signature, deposits] as const]
        }),
      )
      return new Map(found.flat())
    },
  }
}

const partition = <Value>(values: readonly Value[], isFirst: (value: Value) => boolean) =>
  [values.filter(isFirst), values.filter((each) => !isFirst(each))] as const
