import type { WebSocket } from 'ws'
import { AppError } from '#src/errors.ts'
import { closeCode } from '#src/gateway/http/webSockets.ts'
import type { Log } from '#src/log.ts'
import type { Meter } from './meter.ts'

/** Messages in a row that a rate limit may refuse. A client that goes on does not wait as it is told. */
const maxRefused = 100

/** Messages of one connection that may wait to be charged. */
const maxWaiting = 1_000

/** How long a client may take to answer the closing handshake. It may go on sending. */
const closeTimeoutMs = 2_000

/** Charges the messages of one connection. */
export type MessageLimits = Readonly<{
  /**
   * Charges a message to its client, after all earlier messages of the connection: they then take effect in their order.
   * @throws RateLimitedError
   */
  charge: (meter: Meter, bytes: number) => Promise<void>
  /** The same for a message that is not refused by itself, because it frees something or has no answer that could tell it. */
  count: (meter: Meter, bytes: number) => Promise<void>
  /** Whether the connection takes messages: not once it is being closed. */
  isOpen: () => boolean
}>

/** Closes a connection that floods the gateway with messages: with the code 1013, after which clients come again later. */
export function createMessageLimits(
  socket: WebSocket,
  { log, countCut }: Readonly<{ log: Log; countCut: (reason: 'messages') => void }>,
): MessageLimits {
  let refused = 0
  let waiting = 0
  let last = Promise.resolve()
  const isOpen = () => socket.readyState === socket.OPEN

  const cut = (): void => {
    if (!isOpen()) return
    countCut('messages')
    socket.close(closeCode.tryAgainLater, 'Too many messages')
    setTimeout(() => socket.terminate(), closeTimeoutMs).unref()
  }

  const chargeOne = async (meter: Meter, bytes: number): Promise<void> => {
    try {
      await meter.arrive(bytes)
      refused = 0
    } catch (error) {
      refused += 1
      if (refused > maxRefused) cut()
      throw error
    } finally {
      waiting -= 1
    }
  }

  const charge = (meter: Meter, bytes: number): Promise<void> => {
    waiting += 1
    if (waiting > maxWaiting) cut()
    const charged = last.then(() => chargeOne(meter, bytes))
    last = charged.catch(() => {})
    return charged
  }

  return {
    charge,
    count: (meter, bytes) =>
      charge(meter, bytes).catch((error: unknown) => {
        if (!(error instanceof AppError)) log.error({ err: error }, 'Could not charge a message')
      }),
    isOpen,
  }
}
