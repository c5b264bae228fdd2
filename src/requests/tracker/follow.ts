import type { ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Cursor, HintStore } from '#src/requests/trackingStore.ts'
import { createCatchUp } from './catchUp/catchUp.ts'
import { createFindHeights } from './catchUp/findHeights.ts'
import { swapOf } from './decide/userSwaps.ts'
import { findStart } from './findStart.ts'
import { createFollowedBlocks } from './followedBlocks.ts'
import { createInspector, type Inspector } from './inspect/inspector.ts'
import { createOverlookedSearch } from './inspect/overlooked.ts'
import type { WatchList } from './inspect/watchList.ts'
import { storedHeights } from './loadStored.ts'
import { createMutex } from './mutex.ts'
import { createProcessBlocks, inspectWatched } from './processBlocks.ts'
import { createBlockReader } from './read/blockReader.ts'
import type { Tracked } from './read/trackedLogs.ts'
import { createReconciler } from './reconcile.ts'
import { retry } from './retry.ts'
import { createUnreadBlocks } from './unreadBlocks.ts'

export type FollowDeps = Readonly<{
  client: ChainClient
  log: Log
  store: RequestStore
  bus: Bus
  /** Unix time in milliseconds. */
  now: () => number
  watchList: WatchList
}>

type FollowArgs = Readonly<{ chain: ChainConfig; tracked: Tracked; isDevnet: boolean }>

/** A chain that is followed from its saved cursor. */
export type Following = Readonly<{
  /** Height of the followed head. */
  head: () => bigint
  /** Height of the saved cursor. */
  cursor: () => bigint
  /**
   * Resolves when the signal has fired. Rejects with ReorgTooDeepError, FarBehindError, with what the store and the RPC
   * throw while a backlog is read, or with a bug.
   */
  ended: Promise<void>
}>

/**
 * After an outage the backlog of final blocks is large enough to read it by ranges. Following restarts from the cursor.
 */
class FarBehindError extends Error {
  constructor(chainId: number, height: bigint) {
    super(`Chain ${chainId} has gone on far beyond block ${height}`)
    this.name = 'FarBehindError'
  }
}

/** Followed blocks between two checks of the tracker's lag behind the newest final block. */
const checkEveryBlocks = 256n

/** @throws what the store and the RPC throw while it starts. Later failures are retried. */
export async function startFollowing(
  deps: FollowDeps,
  args: FollowArgs,
  outer: AbortSignal,
): Promise<Following> {
  const { store } = deps
  const { chain, isDevnet } = args
  const start = await findStart(deps, { ...chain, isDevnet }, outer)
  const suspects = await storedHeights(store, chain.id, start.block.number)
  const closer = new AbortController()
  const signal = AbortSignal.any([outer, closer.signal])
  const parts = createParts(deps, { ...args, start, suspects }, signal)
  const { followed, inspector, overlooked, mutex, reconciler, readBlock, catchUp, take } = parts
  await parts.undoOrphanedSwaps()
  let announced = 0n
  let checkedAt: bigint | undefined

  async function isFarBehind(): Promise<boolean> {
    const { number } = followed.head()
    const isNear = announced - number < checkEveryBlocks
    if (isNear) checkedAt = undefined
    if (isNear || (checkedAt !== undefined && number - checkedAt < checkEveryBlocks)) return false
    checkedAt = number
    return catchUp.isFarBehind(number, signal)
  }

  async function follow(): Promise<void> {
    const { finalityDepth } = chain
    const hints = takeHints({ ...deps, inspector }, chain.id, signal)
    const onHeight = (height: bigint) => {
      announced = height
    }
    try {
      const takeBlock = (block: FollowedBlock) => mutex(() => take({ type: 'block', block }))
      const from = await catchUp.run(start.block, takeBlock, signal)
      const following = { readBlock, finalityDepth, from, onHeight, signal }
      for await (const event of followChain(deps, {
        ...following,
        pollSeconds: pollSecondsOf(chain),
      })) {
        await mutex(() => take(event))
        if (await isFarBehind()) throw new FarBehindError(chain.id, followed.head().number)
      }
    } finally {
      closer.abort()
      await hints
      await overlooked.ended()
      await inspector.ended()
    }
  }

  return {
    head: () => followed.head().number,
    cursor: () => reconciler.cursor().block.number,
    ended: follow(),
  }
}

function createParts(
  deps: FollowDeps,
  {
    chain,
    tracked,
    start,
    suspects,
  }: Omit<FollowArgs, 'isDevnet'> & { start: Cursor; suspects: Set<bigint> },
  signal: AbortSignal,
) {
  const { watchList } = deps
  const followed = createFollowedBlocks(start.block)
  const unread = createUnreadBlocks()
  const reconciler = createReconciler(
    { ...deps, followed, unread },
    { rules: chain, tracked, start },
  )
  const mutex = createMutex()
  const inspector = createInspector({ ...deps, followed, reconciler, mutex }, tracked, signal)
  const overlooked = createOverlookedSearch({ ...deps, followed, inspector }, tracked, {
    start: start.block.number,
    signal,
  })
  const processBlocks = createProcessBlocks(
    { ...deps, unread, reconciler },
    { tracked, suspects },
    signal,
  )
  const readBlock = createBlockReader(deps, tracked)
  const findHeights = createFindHeights(deps, tracked)
  const catchUp = createCatchUp(
    { ...deps, findHeights, readBlock, reconciler },
    { ...chain, suspects },
  )
  const retried = <Value>(task: string, run: () => Promise<Value>) =>
    retry({ ...deps, signal }, { chainId: chain.id, task }, run)

  /** Height of the last skipped blocks. The watched transactions are inspected once these blocks are final. */
  let lastSkipped: bigint | undefined

  function inspectSkipped(): void {
    if (lastSkipped === undefined || followed.final().number < lastSkipped) return
    lastSkipped = undefined
    for (const watched of watchList.all()) inspector.inspect(watched)
  }

  async function takeBlock(block: FollowedBlock): Promise<void> {
    if (block.number > followed.head().number + 1n) lastSkipped = block.number
    followed.push(block)
    unread.add(block)
    overlooked.record(block)
    await processBlocks()
    await retried('inspect watched transactions', () =>
      inspectWatched(deps, inspector, block, signal),
    )
  }

  async function undo(): Promise<void> {
    const above = followed.head().number
    for (const txHash of await reconciler.reconcile({ above }, signal))
      watchList.add({ txHash }, above)
  }

  async function takeReorg(undone: readonly FollowedBlock[]): Promise<void> {
    followed.undo(undone)
    unread.remove(undone)
    await retried('undo orphaned blocks', undo)
  }

  /**
   * Undoes the users' own swaps that a reorg orphaned while nothing followed the chain. This comes before any block is
   * read, because the blocks are searched for payments of those users only whose swap is awaited.
   */
  async function undoOrphanedSwaps(): Promise<void> {
    const swaps = await deps.store.pendingSwaps(chain.id)
    const blocks = swaps.flatMap((request) => swapOf(request)?.block ?? [])
    const byHash = new Map(blocks.map((block) => [block.hash, block]))
    const orphaned = await Promise.all(
      [...byHash.values()]
        .filter(({ number }) => number > start.block.number)
        .map(async (block) => {
          const present = await readHeaderAt(deps.client, block.number, signal)
          return present === undefined || present.hash === block.hash ? [] : [block]
        }),
    )
    if (orphaned.flat().length === 0) return
    followed.undo(orphaned.flat())
    await undo()
  }

  async function take(event: ChainEvent): Promise<void> {
    switch (event.type) {
      case 'block':
        return takeBlock(event.block)
      case 'reorg':
        return takeReorg(event.undone)
      case 'finalized':
        followed.finalize(event.block)
        inspectSkipped()
        overlooked.search()
        await retried('save the cursor', reconciler.saveCursor)
    }
  }

  return {
    followed,
    inspector,
    overlooked,
    mutex,
    reconciler,
    readBlock,
    catchUp,
    take,
    undoOrphanedSwaps,
  }
}

type Deps = Readonly<{
  log: Log
  store: HintStore
  bus: Pick<Bus, 'listen'>
  watchList: WatchList
  inspector: Inspector
}>

/** Maximum time between two reads of hints: a wake-up message may be lost. */
const maxIntervalMs = 15_000

/** Until `signal` fires, takes the hints that clients leave for the chain and inspects their transactions. */
async function takeHints(
  { log, store, bus, watchList, inspector }: Deps,
  chainId: ChainId,
  signal: AbortSignal,
): Promise<void> {
  const { wake, wait } = createWakeSignal()
  const stopListening = bus.listen((wakeup) => {
    const isOurs = wakeup.kind === 'hint' && wakeup.chainId === chainId
    if (isOurs || wakeup.kind === 'missed') wake()
  })
  signal.addEventListener('abort', wake)
  wake()
  while (!signal.aborted) {
    await wait(maxIntervalMs)
    const hints = signal.aborted
      ? []
      : await retry({ log, signal }, { chainId, task: 'take hints' }, () =>
          store.takeHints(chainId),
        )
    for (const { chainId: _, ...watched } of hints ?? []) {
      watchList.add(watched)
      inspector.inspect(watched)
    }
  }
  signal.removeEventListener('abort', wake)
  stopListening()
}
