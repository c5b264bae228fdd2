import type { ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain, pollSecondsOf } from '#src/chains/follow/followChain.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { Cursor, RequestStore } from '#src/requests/requestStore.ts'
import { findStart } from './findStart.ts'
import { createFollowedBlocks } from './followedBlocks.ts'
import { createInspector } from './inspect/inspector.ts'
import type { WatchList } from './inspect/watchList.ts'
import { storedHeights } from './loadStored.ts'
import { createMutex } from './mutex.ts'
import { createProcessBlocks, inspectWatched } from './processBlocks.ts'
import { type Tracked, trackedTopics } from './read/trackedLogs.ts'
import { createReconciler } from './reconcile.ts'
import { retry } from './retry.ts'
import { takeHints } from './takeHints.ts'
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
  /** Resolves when the signal has fired. Rejects with ReorgTooDeepError, or with a bug. */
  ended: Promise<void>
}>

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
  const { followed, inspector, mutex, reconciler, take } = createParts(
    deps,
    { ...args, start, suspects },
    signal,
  )

  async function follow(): Promise<void> {
    const { finalityDepth } = chain
    const following = { topics: trackedTopics, finalityDepth, from: start.block, signal }
    const hints = takeHints({ ...deps, inspector }, chain.id, signal)
    try {
      for await (const event of followChain(deps, {
        ...following,
        pollSeconds: pollSecondsOf(chain),
      }))
        await mutex(() => take(event))
    } finally {
      closer.abort()
      await hints
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
  const reconciler = createReconciler({ ...deps, followed, unread }, { rules: chain, start })
  const mutex = createMutex()
  const inspector = createInspector({ ...deps, followed, reconciler, mutex }, tracked, signal)
  const processBlocks = createProcessBlocks(
    { ...deps, unread, reconciler },
    { tracked, suspects },
    signal,
  )
  const retried = <Value>(task: string, run: () => Promise<Value>) =>
    retry({ ...deps, signal }, { chainId: chain.id, task }, run)

  async function takeBlock(block: FollowedBlock): Promise<void> {
    followed.push(block)
    unread.add(block)
    await processBlocks()
    await retried('inspect watched transactions', () =>
      inspectWatched(deps, inspector, block, signal),
    )
  }

  async function takeReorg(undone: readonly FollowedBlock[]): Promise<void> {
    followed.undo(undone)
    unread.remove(undone)
    await retried('undo orphaned blocks', async () => {
      const above = followed.head().number
      for (const txHash of await reconciler.reconcile({ above }, signal))
        watchList.add({ txHash }, above)
    })
  }

  async function take(event: ChainEvent): Promise<void> {
    switch (event.type) {
      case 'block':
        return takeBlock(event.block)
      case 'reorg':
        return takeReorg(event.undone)
      case 'finalized':
        followed.finalize(event.block)
        await retried('save the cursor', reconciler.saveCursor)
    }
  }

  return { followed, inspector, mutex, reconciler, take }
}
