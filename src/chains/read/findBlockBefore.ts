import type { BlockId } from '#src/chains/chainEvent.ts'

/** A block with its timestamp in Unix seconds. */
type TimedBlock = BlockId & Readonly<{ timestamp: bigint }>

/**
 * The newest block up to `last` with a timestamp before `time` (Unix seconds); block 0 if none is that old. A binary
 * search, because timestamps never decrease: it reads about one header for each bit of the height.
 * @throws what `headerAt` throws
 */
export async function findBlockBefore<Header extends TimedBlock>(
  headerAt: (number: bigint) => Promise<Header>,
  time: bigint,
  last: Header,
): Promise<Header> {
  if (last.timestamp < time) return last
  let above = last.number
  let found = await headerAt(0n)
  while (above - found.number > 1n) {
    const middle = await headerAt((found.number + above) / 2n)
    if (middle.timestamp < time) found = middle
    else above = middle.number
  }
  return found
}
