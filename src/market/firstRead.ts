import { backOff } from '#src/chains/backoff.ts'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError, reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import type { ChainPools } from './pools/chainPools.ts'
import type { Discovery, FoundPools } from './pools/discovery/discoverPools.ts'
import type { PoolSelection } from './pools/selection/poolSelection.ts'
import { chunksOf, inTurns } from './reads/inTurns.ts'

/** The first read of a chain's market, which may take longer than nodes keep the state of a block. */
export type FirstRead = Readonly<{
  /**
   * Goes on at this block, whose logs are applied, and ends with `finish`. False once there are newer blocks and something
   * is left: what was read stands, and the next call goes on at a later block. Failures delay it alone.
   */
  goOn: (block: FollowedBlock, finish: () => Promise<void>) => Promise<boolean>
  /** Pools that are looked at, of those that are known, then those that are read, of those that are followed. Undefined until they are known. */
  progress: () => Readonly<{ read: number; known: number }> | undefined
}>

type Deps = Readonly<{
  client: ChainClient
  log: Log
  discovery: Pick<Discovery, 'at'>
  pools: Pick<ChainPools, 'readNew' | 'trackedCount' | 'unreadCount'>
  selection: Pick<PoolSelection, 'add' | 'look' | 'newCount' | 'knownCount'>
  signal: AbortSignal
}>

/** The node shows how far its head is above the block after so many pools: up to 80 requests or so. */
const poolsPerLook = 2_000

/** A turn of the event loop. */
const poolsPerTurn = 500

/** Four multicalls. */
const readsPerLook = 2_000

/** In blocks. A read begins near the head, and leaves the block long before nodes forget its state, after 128. */
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

  /** Whether the head was far above the block when the reads began. It is asked beside them: each round trip delays the start. */
  async function endsBehind(block: FollowedBlock, reads: Promise<unknown>): Promise<boolean> {
    const lag = lagOf(block)
    // Whoever goes on after a failure must find no read under way.
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
    while (selection.newCount() > 0)
      if (await endsBehind(block, selection.look(readsPerLook))) return false
    while (pools.unreadCount() > 0)
      if (await endsBehind(block, pools.readNew(poolsPerLook))) return false
    if ((await lagOf(block)) > maxLagOfBegin) return false
    await finish()
    return true
  }

  return {
    progress() {
      if (!isDiscovered) return undefined
      const [known, unlooked] = [selection.knownCount(), selection.newCount()]
      if (unlooked > 0) return { read: known - unlooked, known }
      return { read: pools.trackedCount() - pools.unreadCount(), known: pools.trackedCount() }
    },
    async goOn(block, finish) {
      for (let failures = 1; !signal.aborted; failures += 1) {
        try {
          return await read(block, finish)
        } catch (error) {
          if (signal.aborted) return false
          if (!(error instanceof AppError)) throw error
          const facts = { chainId: client.chain.id, block: block.number, reason: reasonOf(error) }
          log.warn(facts, 'Could not read the market yet; goes on from where it was')
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
