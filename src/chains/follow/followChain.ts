import { backoffMs } from '#src/chains/backoff.ts'
import type { ChainEvent } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createAlarm } from '#src/chains/wakeSignal.ts'
import { AppError, reasonOf } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { createChainTracker, type TrackerArgs } from './blockCursor.ts'

type FollowArgs = TrackerArgs &
  Readonly<{
    /** Between two looks for a new block; a live WebSocket wakes us at once, and this is then the safety net. */
    pollSeconds: number
  }>

/** With the WebSocket at work the net may be wider. */
const netFactor = 4
/** Every so many looks without news all URLs are asked: the first may stand still. */
const patience = 5
/** Between looks for a block that was announced and that no node has yet: doubled each time. */
const shortestLookMs = 20

/**
 * Follows a chain for ever: every block in order, with its logs, none left out and none twice;
 * reorgs; and what becomes final, which only grows. Outages, nonsense and lagging nodes delay it and
 * never break it. It reads only when the next event is asked for, and ends when `signal` fires.
 * @throws ReorgTooDeepError
 */
export async function* followChain(
  { client, log }: Readonly<{ client: ChainClient; log: Log }>,
  { pollSeconds, ...args }: FollowArgs,
): AsyncGenerator<ChainEvent, void, undefined> {
  const { signal } = args
  const tracker = createChainTracker({ client, log }, args)
  const alarm = createAlarm()
  let announced = 0n
  let failures = 0
  let looks = 0
  let wasRung = false
  let hasLiveSocket = false

  async function advance(): Promise<readonly ChainEvent[] | undefined> {
    try {
      const events = await tracker.next(isDue() || looks % patience === patience - 1)
      if (failures > 0) log.info({ chainId: client.chain.id }, 'Following again')
      failures = 0
      return events
    } catch (error) {
      if (signal.aborted) return undefined
      if (!(error instanceof AppError)) throw error
      failures += 1
      const reason = reasonOf(error)
      const level = failures === 1 ? 'warn' : 'debug'
      log[level]({ chainId: client.chain.id, reason }, 'Cannot follow the chain; trying on')
      return undefined
    }
  }

  const isDue = () => announced > (tracker.height() ?? announced)

  function pauseMs(): number {
    if (failures > 0) return backoffMs(failures)
    const pollMs = pollSeconds * 1000 * (hasLiveSocket ? netFactor : 1)
    return isDue() ? Math.min(shortestLookMs * 2 ** looks, pollMs) : pollMs
  }

  const unsubscribe = client.onHead((number = 0n) => {
    if (number > announced) announced = number
    alarm.ring()
  })
  signal.addEventListener('abort', alarm.ring)
  try {
    while (!signal.aborted) {
      const events = await advance()
      if (events !== undefined && events.length > 0) {
        hasLiveSocket = wasRung
        looks = 0
        yield* events
      } else {
        wasRung = await alarm.wait(pauseMs())
        looks = wasRung ? 0 : looks + 1
      }
    }
  } finally {
    signal.removeEventListener('abort', alarm.ring)
    unsubscribe()
  }
}
