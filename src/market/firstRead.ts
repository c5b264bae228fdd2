import { backOff } from '#src/chains/backoff.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { chunksOf } from '#src/chains/chunksOf.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import type { NewPools } from './pools/chainPools.ts'
import type { Discovery, FoundPools } from './pools/discovery/discoverPools.ts'
import type { NewSelection } from './pools/selection/poolSelection.ts'
import { inTurns } from './reads/inTurns.ts'

/** The first read of a chain's market. It may take longer than nodes keep the state of one block. */
export type FirstRead = Readonly<{
  /**
   * Continues the read at this block, whose logs are already applied. Runs `finish` and returns true when all is read.
   * Returns false if the read is incomplete and the head has moved on: the next call continues at a later block and
   * keeps the pools that were read. RPC failures only delay the read.
   */
  resume: (block: FollowedBlock, finish: () => Promise<void>) => Promise<boolean>
  /**
   * During the depth checks: checked pools, and known pools. Afterwards: read pools, and followed pools. Undefined
   * before the discovery.
   */
  progress: () => Readonly<{ read: number; known: number }> | undefined
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  discovery: Readonly<{ at: Discovery['at'] }>
  pools: NewPools
  selection: NewSelection
  signal: AbortSignal
}>

/** Pools to read before the lag behind the head is checked: about 80 requests at most. */
const poolsPerRead = 2_000

/** Added in one turn of the event loop. */
const poolsPerTurn = 500

/** Depth reads before the lag behind the head is checked: four multicalls. */
const readsPerCheck = 2_000

/**
 * In blocks. A read begins near the head. It leaves its block at a lag of 32, because nodes forget a state after 128.
 */
const maxLagOfBegin = 8n
const maxLag = 32n

export function createFirstRead({
  client,
  log,
  discovery,
  pools,
  selection,
  signal,
}: Deps): FirstRead {
  let isDiscovered = false

  const lagOf = async ({ number }: FollowedBlock) => (await client.getBlockNumber()) - number

  /**
   * Waits for `reads`, and returns whether the head is far above the block. The height is read in parallel, because
   * each round trip delays the start.
   */
  async function isBehindAfter(block: FollowedBlock, reads: Promise<unknown>): Promise<boolean> {
    const lag = lagOf(block)
    // The lag is awaited after the reads, so that no read is still running when a failure is thrown.
    lag.catch(() => undefined)
    await reads
    return (await lag) > maxLag
  }

  async function addInTurns({ ofPairs, ofFactories }: FoundPools): Promise<void> {
    selection.add({ ofPairs, ofFactories: [] })
    await inTurns(chunksOf(ofFactories, poolsPerTurn), async (some) =>
      selection.add({ ofPairs: [], ofFactories: some }),
    )
  }

  /** Returns whether all is read. */
  async function read(block: FollowedBlock, finish: () => Promise<void>): Promise<boolean> {
    if ((await lagOf(block)) > maxLagOfBegin) return false
    if (!isDiscovered) {
      await addInTurns(await discovery.at(block, signal))
      isDiscovered = true
    }
    while (selection.uncheckedCount() > 0)
      if (await isBehindAfter(block, selection.checkDepths(readsPerCheck))) return false
    while (pools.unreadCount() > 0)
      if (await isBehindAfter(block, pools.readNew(poolsPerRead))) return false
    if ((await lagOf(block)) > maxLagOfBegin) return false
    await finish()
    return true
  }

  return {
    progress() {
      if (!isDiscovered) return undefined
      const [known, unchecked] = [selection.knownCount(), selection.uncheckedCount()]
      if (unchecked > 0) return { read: known - unchecked, known }
      return { read: pools.trackedCount() - pools.unreadCount(), known: pools.trackedCount() }
    },
    async resume(block, finish) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await read(block, finish)
        } catch (error) {
          if (signal.aborted) return false
          if (!(error instanceof AppError)) throw error
          const facts = { chainId: client.chain.id, block: block.number, reason: reasonOf(error) }
          log.warn(facts, 'Could not read the market yet; will resume where it stopped')
          await backOff(failures, signal)
          // A node that does not have this block, or not any more, may have the next.
          const lag = await lagOf(block).catch(() => 0n)
          if (lag > 0n) return false
        }
      }
      return false
    },
  }
}
