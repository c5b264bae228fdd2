import { backoffMs } from '#src/chains/backoff.ts'
import type { ChainEvent } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import { AppError, reasonOf } from '#src/core/errors.ts'
import { ChainFollower, type FollowerArgs } from './chainFollower.ts'

type FollowArgs = FollowerArgs &
  Readonly<{
    /** Seconds between two polls. A live WebSocket announces blocks at once; polling is then the fallback. */
    pollSeconds: number
  }>

/** Four polls a block, at least 0.05 s and at most 3 s apart. */
export const pollSecondsOf = ({ blockSeconds }: Readonly<{ blockSeconds: number }>): number =>
  Math.min(Math.max(blockSeconds / 4, 0.05), 3)

/** The interval between polls is multiplied by this factor while the WebSocket announces blocks. */
const livePollFactor = 4
/** After this many polls without a new block, all nodes are asked: the first one may have stopped. */
const pollsBeforeAskingAll = 5
/** First delay before an announced block that no node has yet is requested again. Doubles each time. */
const minAnnouncedPollMs = 20

/**
 * Follows a chain until `signal` fires. Yields every block in order with its logs, none skipped or repeated; reorgs;
 * and finality, which only advances. Outages, invalid answers and lagging nodes delay the events but never corrupt
 * them. Nothing is read until the consumer asks for the next event.
 * @throws ReorgTooDeepError
 */
export async function* followChain(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { pollSeconds, ...args }: FollowArgs,
): AsyncGenerator<ChainEvent, void, undefined> {
  const { signal } = args
  const chainId = client.chain.id
  const follower = new ChainFollower({ client, log }, args)
  const wakeSignal = createWakeSignal()
  let announced = 0n
  let failures = 0
  let emptyPolls = 0
  let wasWoken = false
  let hasLiveSocket = false

  async function advance(): Promise<readonly ChainEvent[] | undefined> {
    try {
      const isStale = emptyPolls % pollsBeforeAskingAll === pollsBeforeAskingAll - 1
      const events = await follower.next(isBehind() || isStale)
      if (failures > 0) log.info({ chainId }, 'Follows the chain again')
      failures = 0
      return events
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof AppError)) throw error
      failures += 1
      const level = failures === 1 ? 'warn' : 'debug'
      log[level]({ chainId, reason: reasonOf(error) }, 'Cannot follow the chain; will retry')
      return undefined
    }
  }

  const isBehind = () => announced > (follower.height() ?? announced)

  function pauseMs(): number {
    if (failures > 0) return backoffMs(failures)
    const pollMs = pollSeconds * 1000 * (hasLiveSocket ? livePollFactor : 1)
    return isBehind() ? Math.min(minAnnouncedPollMs * 2 ** emptyPolls, pollMs) : pollMs
  }

  const unsubscribe = client.onHead((number = 0n, header) => {
    if (number > announced) announced = number
    if (header !== undefined) follower.announce(header)
    if (number > 0n) args.onHeight?.(number)
    wakeSignal.wake()
  })
  signal.addEventListener('abort', wakeSignal.wake)
  try {
    while (!signal.aborted) {
      const events = await advance()
      if (events !== undefined && events.length > 0) {
        hasLiveSocket = wasWoken
        emptyPolls = 0
        yield* events
        // The nodes were just asked: an immediate further request would rarely return anything new.
        if (isBehind() || !follower.isCaughtUp()) continue
      }
      wasWoken = await wakeSignal.wait(pauseMs())
      emptyPolls = wasWoken ? 0 : emptyPolls + 1
    }
  } finally {
    signal.removeEventListener('abort', wakeSignal.wake)
    unsubscribe()
  }
}
