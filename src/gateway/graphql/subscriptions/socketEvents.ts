import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { onceWritten } from '#src/gateway/http/onceWritten.ts'
import { textFrame } from '#src/gateway/http/textFrame.ts'
import type { Metrics } from '#src/gateway/monitoring/metrics.ts'
import type { EncodedEvent, LiveEvents } from './liveEvents.ts'

/**
 * Writes an event of one subscription to its connection, and returns whether there is room for another. Otherwise it calls
 * `onRoom` once the connection has taken this one.
 */
export type EventWriter = (event: EncodedEvent, onRoom: () => void) => boolean

type Ends = Readonly<{ socket: WebSocket; connection: Duplex }>

/** Writes events past the library: their bytes are the same for all subscribers but for the id. */
export function createEventWriters({ maxUnreadBytes }: Readonly<{ maxUnreadBytes: number }>) {
  /** An event and the end of its message, encoded once for all its subscribers. */
  const payloads = new WeakMap<EncodedEvent, Buffer>()
  const payloadOf = (event: EncodedEvent): Buffer => {
    const known = payloads.get(event)
    if (known !== undefined) return known
    const payload = Buffer.from(`${event.text}}`)
    payloads.set(event, payload)
    return payload
  }

  return {
    writerOf: (id: string, { socket, connection }: Ends): EventWriter => {
      const before = Buffer.from(`{"id":${JSON.stringify(id)},"type":"next","payload":`)
      return (event, onRoom) => {
        if (socket.readyState !== socket.OPEN) return false
        // The client has stopped reading: it would not read a closing message either.
        if (socket.bufferedAmount > maxUnreadBytes) {
          socket.terminate()
          return false
        }
        connection.write(textFrame(before, payloadOf(event)))
        if (connection.writableLength === 0) return true
        onceWritten(connection, onRoom)
        return false
      }
    },
  }
}

/**
 * Lets the events of a subscription flow to its connection, and counts it as open until it ends. For graphql-ws it is a
 * subscription without events.
 */
export function told(
  events: LiveEvents,
  write: EventWriter,
  { openSubscription }: Pick<Metrics, 'openSubscription'>,
): never {
  const closed = openSubscription('websocket')
  const over = Promise.withResolvers<IteratorReturnResult<undefined>>()
  let isOpen = true
  const end = (): void => {
    if (isOpen) closed()
    isOpen = false
    over.resolve({ done: true, value: undefined })
  }
  let isFlowing = false
  const ended: AsyncIterableIterator<never, undefined> = {
    next: () => {
      if (!isFlowing) {
        isFlowing = true
        const resume = events.flow({ take: (event) => write(event, () => resume()), end })
      }
      return over.promise
    },
    return: async () => {
      end()
      await events.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => ended,
  }
  return ended as never
}
