import { backOff } from '#src/chains/backoff.ts'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { HistoryGapError } from '#src/chains/svm/svmHistory.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { WrongGenesisError } from '#src/requests/tracker/findStart.ts'
import type { Tracker } from '#src/requests/tracker/tracker.ts'
import type { Cursor } from '#src/requests/trackingStore.ts'
import type { SvmTracked } from './depositoryEvents.ts'
import { findSvmStart } from './findSvmStart.ts'
import { createHistoryCheck } from './historyCheck.ts'
import { createSvmEventReader, type SvmEventReader } from './svmEventReader.ts'
import { createSvmPreviews } from './svmPreviews.ts'
import { createSvmReconciler } from './svmReconciler.ts'

export type SvmTrackerPorts = Readonly<{
  client: SvmClient
  log: Log
  store: RequestStore
  bus: Bus
  /** Unix time in milliseconds. */
  now: () => number
}>

type Args = Readonly<{
  chain: SvmChainConfig
  /** Whether the chain may restart under its id. Then the rows of the old one are deleted. */
  isDevnet: boolean
}>

/** Transactions that are read together, and whose changes are saved together. */
const chunkSize = 25
/** Slots after which the cursor leaves its transaction, about an hour: nodes forget old ones. */
const maxCursorSlots = 9_000n
/** Blocks between two reads. A round takes three requests. */
const pauseBlocks = 2
/** The shortest pause between two reads. */
const minPauseMs = 100
/** Maximum time between two reads of hints: a wake-up message may be lost. */
const maxHintIntervalMs = 15_000
/** Rounds without the history of the vault before the operator is told. */
const failuresBeforeAlarm = 5
/** Hints that are followed at a time. The history has what the others name. */
const maxHints = 100

/**
 * Follows the depository of a Solana chain by the history of its vault, at `finalized`; deposits that are `confirmed`
 * are shown. The outcomes of the solver's transactions are read one by one.
 * @throws Error if the chain has no program
 */
export function createSvmTracker(deps: SvmTrackerPorts, { chain, isDevnet }: Args): Tracker {
  const { client, log, store, bus, now } = deps
  const { id: chainId, program, genesisHash: genesis } = chain
  if (program === undefined) throw new Error(`Chain ${chainId} has no program to track`)
  const tracked: SvmTracked = { chainId, program, genesis }
  const reader = createSvmEventReader({ client, log }, tracked)
  const status = { head: undefined as bigint | undefined, restarts: 0, hasWrongGenesis: false }
  const check = createHistoryCheck(
    { endpoints: client.endpoints, log, now },
    { account: vaultAddress(program), chainId },
  )
  const previews = createSvmPreviews({ reader, store, now }, tracked)
  const { wake, wait } = createWakeSignal()
  const hints = createHintReader({ reader, store, now }, chainId)

  /** Follows the chain from the cursor to its final head. Returns the new cursor. */
  async function round(
    start: Cursor,
    reconcile: ReturnType<typeof createSvmReconciler>['reconcile'],
  ) {
    const head = await reader.readHead()
    const { final, ahead } = await reader.readHistory(start, head.slot)
    check.add(final)
    let cursor = start
    for (const chunk of chunksOf(final, chunkSize)) {
      const last = chunk.at(-1)
      if (last === undefined) break
      const events = await reader.read(chunk, head)
      cursor = { ...start, block: { number: last.slot, hash: last.signature } }
      const step = { ...events, head: last.slot, processedUntil: undefined, cursor }
      await reconcile(step, head.exitSeconds)
    }
    const unread = await check.findUnread(head.slot)
    const found = await reader.readNamed(unread.map(({ signature }) => signature))
    check.add(unread.filter(({ signature }) => found.some((each) => each.signature === signature)))
    const hinted = [...found, ...(await hints.read())]
    const events = await reader.read(hinted, head)
    const isOld = head.slot - cursor.block.number > maxCursorSlots
    // Nothing of the head's slot counts as read.
    const moved = isOld ? { ...start, block: { number: head.slot, hash: genesis } } : undefined
    const isBehind = head.slot < cursor.block.number
    const slot = isBehind ? cursor.block.number : head.slot
    const step = { ...events, head: slot, processedUntil: head.seconds, cursor: moved }
    await reconcile(step, head.exitSeconds)
    await previews.show(ahead, head)
    status.head = slot
    return moved ?? cursor
  }

  /** @throws WrongGenesisError; what the store and the RPC throw */
  async function follow(signal: AbortSignal, onProgress: () => void): Promise<void> {
    let cursor = await findSvmStart(deps, tracked, isDevnet)
    status.hasWrongGenesis = false
    const { reconcile } = createSvmReconciler(deps, tracked)
    const pauseMs = Math.max(chain.blockSeconds * pauseBlocks * 1_000, minPauseMs)
    while (!signal.aborted) {
      cursor = await round(cursor, reconcile)
      onProgress()
      await wait(pauseMs)
    }
  }

  async function run(signal: AbortSignal): Promise<void> {
    const stopListening = bus.listen((wakeup) => {
      const isOurs = wakeup.kind === 'hint' && wakeup.chainId === chainId
      if (!isOurs && wakeup.kind !== 'missed') return
      hints.expect()
      wake()
    })
    signal.addEventListener('abort', wake)
    for (let failures = 0; !signal.aborted; ) {
      try {
        await follow(signal, () => {
          failures = 0
        })
      } catch (error) {
        if (signal.aborted) break
        failures += 1
        logFailure(log, chainId, { error, failures, wasWrong: status.hasWrongGenesis })
        status.hasWrongGenesis = error instanceof WrongGenesisError
        status.restarts += 1
        await backOff(failures, signal)
      }
    }
    signal.removeEventListener('abort', wake)
    stopListening()
  }

  return {
    run,
    // Everything up to the head is stored.
    status: () => ({ ...status, cursor: status.head, watched: 0 }),
  }
}

/** Takes the hints of clients, and reads their transactions: one that was read wrongly before is read again. */
function createHintReader(
  {
    reader,
    store,
    now,
  }: Pick<SvmTrackerPorts, 'store' | 'now'> & Readonly<{ reader: SvmEventReader }>,
  chainId: ChainId,
) {
  let readAt = Number.NEGATIVE_INFINITY
  return {
    /** The next read does not wait. */
    expect: () => {
      readAt = Number.NEGATIVE_INFINITY
    },
    async read() {
      if (now() - readAt < maxHintIntervalMs) return []
      // Before the read: a hint that is left meanwhile wakes the tracker again.
      readAt = now()
      const hints = await store.takeHints(chainId)
      return reader.readNamed(hints.slice(0, maxHints).map(({ txHash }) => txHash))
    },
  }
}

type TrackingFailure = Readonly<{
  error: unknown
  /** In a row. */
  failures: number
  /** Whether the endpoint served the wrong chain before, too. */
  wasWrong: boolean
}>

function logFailure(
  log: Log,
  chainId: ChainId,
  { error, failures, wasWrong }: TrackingFailure,
): void {
  const facts = { chainId, reason: reasonOf(error) }
  // An endpoint that is a little behind gives the same error, for a moment.
  if (error instanceof HistoryGapError && failures === failuresBeforeAlarm)
    log.error(facts, 'No RPC endpoint has the history since the cursor; tracking paused')
  if (error instanceof WrongGenesisError && !wasWrong)
    log.error(facts, 'RPC endpoint serves the wrong chain; tracking paused')
  else if (failures === 1) log.warn(facts, 'Restarting tracking from its cursor')
}
