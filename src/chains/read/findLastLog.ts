import { AppError } from '#src/core/errors.ts'

/** Number of blocks in one request, unless nodes allow fewer. */
const maxBlocks = 1_000n

/**
 * The last log that `isWanted` chooses in an inclusive range of blocks; undefined if there is none. Searches backwards,
 * in ranges as large as the nodes answer.
 * @throws RpcUnavailableError or RpcRefusedError when the nodes fail
 */
export async function findLastLog<Log>(
  getLogs: (range: Readonly<{ fromBlock: bigint; toBlock: bigint }>) => Promise<readonly Log[]>,
  isWanted: (log: Log) => boolean,
  { from, to }: Readonly<{ from: bigint; to: bigint }>,
): Promise<Log | undefined> {
  let last = to
  let span = maxBlocks
  while (last >= from) {
    const first = last - span + 1n > from ? last - span + 1n : from
    try {
      const found = (await getLogs({ fromBlock: first, toBlock: last })).findLast(isWanted)
      if (found !== undefined) return found
      last = first - 1n
    } catch (error) {
      // Nodes limit the range, the number of logs or the time, each with its own message.
      if (!(error instanceof AppError) || span === 1n) throw error
      span /= 2n
    }
  }
  return undefined
}
