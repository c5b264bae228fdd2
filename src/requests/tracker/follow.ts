import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isEvmHash } from '#src/core/units/txId.ts'
import type { Bus, WakeupSource } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Cursor, HintStore } from '#src/requests/trackingStore.ts'
import { createCatchUp, createFindHeights } from './catchUp.ts'
import { findStart } from './findStart.ts'
import { createFollowedBlocks, createUnreadBlocks } from './followedBlocks.ts'
import { createInspector, type Inspector } from './inspect/inspector.ts'
import { createOverlookedSearch } from './inspect/overlooked.ts'
import type { WatchList } from './inspect/watchList.ts'
import { storedHeights } from './loadStored.ts'
import { createMutex } from './mutex.ts'
import { createBlockReader } from './read/blockReader.ts'
import { idOfBlock, type Tracked } from './read/trackedLogs.ts'
import { createReconciler } from './reconcile.ts'
import { retry } from './retry.ts'
import { EventTaker } from './takeEvents.ts'

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
  const { followed, inspector, overlooked, mutex, reconciler, readBlock, catchUp, events } = parts
  await events.undoOrphanedSwaps(start.block.number)
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
      const takeBlock = (block: FollowedBlock) => mutex(() => events.take({ type: 'block', block }))
      const from = await catchUp.run(idOfBlock(start.block), takeBlock, signal)
      const following = { readBlock, finalityDepth, from, onHeight, signal }
      for await (const event of followChain(deps, {
        ...following,
        pollSeconds: pollSecondsOf(chain),
      })) {
        await mutex(() => events.take(event))
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
  const followed = createFollowedBlocks(idOfBlock(start.block))
  const unread = createUnreadBlocks()
  const reconciler = createReconciler(
    { ...deps, followed, unread },
    { rules: chain, tracked, start },
  )
  const mutex = createMutex()
  const inspector = createInspector({ ...deps, followed, reconciler, mutex }, tracked, signal)
  const search = { start: start.block.number, signal }
  const overlooked = createOverlookedSearch({ ...deps, followed, inspector }, tracked, search)
  const readBlock = createBlockReader(deps, tracked)
  const findHeights = createFindHeights(deps, tracked)
  const catchUp = createCatchUp(
    { ...deps, findHeights, readBlock, reconciler },
    { ...chain, suspects },
  )
  const events = new EventTaker(
    { ...deps, followed, unread, reconciler, inspector, overlooked },
    { tracked, suspects },
    signal,
  )
  return { followed, inspector, overlooked, mutex, reconciler, readBlock, catchUp, events }
}

type Deps = Readonly<{
  log: Log
  store: HintStore
  bus: WakeupSource
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
      // Anybody can name what no transaction of the chain has.
      if (!isEvmHash(watched.txHash)) continue
      watchList.add(watched)
      inspector.inspect(watched)
    }
  }
  signal.removeEventListener('abort', wake)
  stopListening()
}
