import type { WebSocket } from 'ws'
import type { Log } from '#src/config/log.ts'
import { AppError } from '#src/core/errors.ts'
import { closeCode } from '#src/gateway/http/webSockets.ts'
import type { Meter } from './meter.ts'

/** Maximum messages in a row that a rate limit refuses. A client that sends more ignores `retryAfterSeconds`. */
const maxRefused = 100

/** Maximum messages of one connection that wait to be charged. */
const maxWaiting = 1_000

/** Maximum length of those messages together: four of the longest. */
const maxWaitingBytes = 1_048_576

/** Time that a client has to answer the closing handshake. It may still send. */
const closeTimeoutMs = 2_000

/** Charges the messages of one connection. */
export type MessageLimits = Readonly<{
  /**
   * Charges a message to its client after all earlier messages of the connection, so that they take effect in order.
   * @throws RateLimitedError
   */
  charge: (meter: Meter, bytes: number) => Promise<void>
  /**
   * Charges a message that is never refused, because it frees resources or has no answer that could carry the error.
   * Not once the connection is closing.
   */
  count: (meter: Meter, bytes: number) => Promise<void>
  /** Whether the connection still accepts messages. False once it is closing. */
  isOpen: () => boolean
}>

/** Closes a connection that floods the gateway with messages, with code 1013: clients then reconnect later. */
export function createMessageLimits(
  socket: WebSocket,
  { log, countCut }: Readonly<{ log: Log; countCut: (reason: 'messages') => void }>,
): MessageLimits {
  let refused = 0
  let waiting = 0
  let waitingBytes = 0
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
      waitingBytes -= bytes
    }
  }

  const charge = (meter: Meter, bytes: number): Promise<void> => {
    waiting += 1
    waitingBytes += bytes
    if (waiting > maxWaiting || waitingBytes > maxWaitingBytes) cut()
    const charged = last.then(() => chargeOne(meter, bytes))
    last = charged.catch(() => {})
    return charged
  }

  return {
    charge,
    count: async (meter, bytes) => {
      if (!isOpen()) return
      try {
        await charge(meter, bytes)
      } catch (error) {
        if (!(error instanceof AppError)) log.error({ err: error }, 'Could not charge a message')
      }
    },
    isOpen,
  }
}
