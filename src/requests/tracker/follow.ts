import { type Alarm, createAlarm } from '#src/chains/alarm.ts'
import type { ChainClient } from '#src/chains/chainClient.ts'
import type { ChainEvent, FollowedBlock } from '#src/chains/chainEvent.ts'
import { followChain } from '#src/chains/followChain.ts'
import { readHeaderAt } from '#src/chains/readBlock.ts'
import { readTransactionHashes } from '#src/chains/readTransaction.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { findStart } from './findStart.ts'
import { createFollowedBlocks } from './followedBlocks.ts'
import { createLooks } from './inspect/inspector.ts'
import type { WatchList } from './inspect/watchList.ts'
import { storedHeights } from './loadStored.ts'
import { createTurns } from './mutex.ts'
import { isEmpty, MissingTransactionError, readSightings } from './read/readEvents.ts'
import { type Tracked, trackedTopics } from './read/trackedLogs.ts'
import { createSettler } from './reconcile.ts'
import { persist } from './retry.ts'
import { createUnreadBlocks } from './unreadBlocks.ts'

export type FollowDeps = Readonly<{
  client: ChainClient
  log: Log
  store: RequestStore
  bus: Bus
  /** Milliseconds since 1970. */
  now: () => number
  watchList: WatchList
}>

type FollowArgs = Readonly<{ chain: ChainConfig; tracked: Tracked }>

/** A chain that is followed from where it was left. */
export type Following = Readonly<{
  head: () => bigint
  cursor: () => bigint
  /** Resolves when the signal has fired; throws ReorgTooDeepError, and what only a bug can. */
  ended: Promise<void>
}>

/** @throws what the store and the RPC throw while it begins; later they only delay it. */
export async function startFollowing(
  deps: FollowDeps,
  { chain, tracked }: FollowArgs,
  outer: AbortSignal,
): Promise<Following> {
  const { client, log, store, bus, now, watchList } = deps
  const { id: chainId, finalityDepth } = chain
  const start = await findStart(deps, chain, outer)
  const followed = createFollowedBlocks(start.block)
  // What an earlier run saw may be gone by now: when its block's height passes, that shows.
  const suspects = await storedHeights(store, chainId, start.block.number)
  const unread = createUnreadBlocks()
  const settler = createSettler({ client, store, now, followed, unread }, { rules: chain, start })
  const closer = new AbortController()
  const signal = AbortSignal.any([outer, closer.signal])
  const turns = createTurns()
  const tryOn = <Value>(name: string, run: () => Promise<Value>) =>
    persist({ log, signal }, { chainId, name }, run)
  const looks = createLooks({ ...deps, followed, settler, turns }, tracked, signal)

  async function seeBlock(block: FollowedBlock): Promise<void> {
    const sightings = await readSightings({ client, store }, tracked, block, signal)
    const isSuspect = suspects.has(block.number)
    if (isEmpty(sightings) && !isSuspect && !settler.isDue()) return
    const above = isSuspect ? { above: block.number - 1n } : {}
    for (const txHash of await settler.settle({ sightings, ...above }, signal))
      watchList.add({ txHash }, block.number)
    suspects.delete(block.number)
  }

  /**
   * Leaves a block unread that does not stand at its height any more: the reorg shows with the next events. Or
   * none does, where a node that lags behind told so: then it is read with them.
   */
  async function readOrLeave(block: FollowedBlock): Promise<void> {
    try {
      await seeBlock(block)
      unread.remove([block])
    } catch (error) {
      if (!(error instanceof MissingTransactionError)) throw error
      const standing = await readHeaderAt(client, block.number, signal)
      if (standing?.hash === block.hash) throw error
      const { number, hash } = block
      log.info({ chainId, number, hash, reason: error.message }, 'A block is left unread for now')
    }
  }

  /** @throws Error where that never ends. */
  async function readBlocks(): Promise<void> {
    for (const block of unread.all()) await tryOn('take in a block', () => readOrLeave(block))
    const count = unread.all().length
    if (count > mostUnread) throw new Error(`${count} blocks in a row cannot be read`)
  }

  /** What was named to us and is in this block, or is to be looked at by now. */
  async function lookAround(block: FollowedBlock): Promise<void> {
    if (watchList.size() === 0) return
    const hashes = await readTransactionHashes(client, block, signal)
    for (const watched of watchList.due(hashes ?? [], block.number)) looks.look(watched)
  }

  async function take(event: ChainEvent): Promise<void> {
    switch (event.type) {
      case 'block':
        followed.push(event.block)
        unread.add(event.block)
        await readBlocks()
        await tryOn('look for named transactions', () => lookAround(event.block))
        return
      case 'reorg': {
        followed.undo(event.undone)
        unread.remove(event.undone)
        await tryOn('take back what a reorg undid', async () => {
          const above = followed.head().number
          for (const txHash of await settler.settle({ above }, signal))
            watchList.add({ txHash }, above)
        })
        return
      }
      case 'finalized':
        followed.settle(event.block)
        await tryOn('save the cursor', settler.saveCursor)
    }
  }

  async function follow(): Promise<void> {
    const args = { topics: trackedTopics, finalityDepth, from: start.block, signal }
    const pollSeconds = pollSecondsOf(chain)
    const hints = takeHints(createAlarm())
    try {
      for await (const event of followChain({ client, log }, { ...args, pollSeconds }))
        await turns(() => take(event))
    } finally {
      closer.abort()
      await hints
      await looks.ended()
    }
  }

  async function takeHints(alarm: Alarm): Promise<void> {
    const unlisten = bus.listen((wakeup) => {
      const isOurs = wakeup.kind === 'hint' && wakeup.chainId === chainId
      if (isOurs || wakeup.kind === 'missed') alarm.ring()
    })
    signal.addEventListener('abort', alarm.ring)
    alarm.ring()
    while (!signal.aborted) {
      await alarm.wait(hintNetMs)
      const hints = signal.aborted ? [] : await tryOn('take hints', () => store.takeHints(chainId))
      for (const { txHash, requestId } of hints ?? []) {
        const watched = { txHash, ...(requestId && { requestId }) }
        watchList.add(watched)
        looks.look(watched)
      }
    }
    signal.removeEventListener('abort', alarm.ring)
    unlisten()
  }

  return {
    head: () => followed.head().number,
    cursor: () => settler.cursor().block.number,
    ended: follow(),
  }
}

/** More than a reorg takes away by surprise: blocks are read ahead of it. Following then begins anew. */
const mostUnread = 20

/** A wake-up may be lost: hints are asked for every so often all the same. */
const hintNetMs = 15_000

/** Looks four times a block; no slower than every 3 s, no faster than every 50 ms. */
const pollSecondsOf = ({ blockSeconds }: ChainConfig): number =>
  Math.min(Math.max(blockSeconds / 4, 0.05), 3)
