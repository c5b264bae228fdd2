import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** Progress of the search for a chain's pools. */
export type SearchProgress = Readonly<{
  /** Blocks, counted once for each factory. */
  searchedBlocks: bigint
  totalBlocks: bigint
  /** Number of pools found so far. */
  pools: number
  /** Another process searches, and this one waits for its results. */
  isWaiting: boolean
}>

/** Percent, rounded down: 100 only when all is searched. */
const shareOf = ({ searchedBlocks, totalBlocks }: SearchProgress): number =>
  totalBlocks === 0n ? 100 : Number((searchedBlocks * 100n) / totalBlocks)

const reportEveryMs = 10_000

/** Logs the progress at most every ten seconds, with the remaining time at the mean speed since the first call. */
export function createProgressReport(
  { log, now }: Readonly<{ log: Log; now: () => number }>,
  chainId: ChainId,
): (progress: SearchProgress) => void {
  let reportedAt = now()
  let start: Readonly<{ at: number; searched: bigint }> | undefined

  return (progress) => {
    start ??= { at: now(), searched: progress.searchedBlocks }
    if (now() - reportedAt < reportEveryMs) return
    reportedAt = now()
    const { searchedBlocks, totalBlocks, pools } = progress
    const done = Number(searchedBlocks - start.searched)
    const left = Number(totalBlocks - searchedBlocks)
    const secondsLeft = done > 0 ? Math.ceil(((now() - start.at) / 1000 / done) * left) : undefined
    log.info(
      { chainId, pools, share: `${shareOf(progress)} %`, secondsLeft },
      'Searches the chain for pools',
    )
  }
}

/** The step that delays a chain's first snapshot, as a phrase for operators. */
export function describeStart(
  search: SearchProgress | undefined,
  read: Readonly<{ read: number; known: number }> | undefined,
): string {
  if (read !== undefined) return `${read.read} of ${read.known} pools are read`
  if (search === undefined) return 'the first block'
  const who = search.isWaiting ? 'another process searches for pools' : 'searches for pools'
  return `${who}: ${shareOf(search)} % of the blocks, ${search.pools} pools`
}
