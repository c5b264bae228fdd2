import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { onceWritten, textFrame } from '#src/gateway/http/frames.ts'
import type { SocketMetrics } from '#src/gateway/monitoring/metrics.ts'
import type { EncodedEvent, LiveEvents } from './liveEvents.ts'

/**
 * Writes an event of one subscription to its connection. Returns whether there is room for another event; if not, calls
 * `onRoom` once this one is written.
 */
export type EventWriter = (event: EncodedEvent, onRoom: () => void) => boolean

type Ends = Readonly<{ socket: WebSocket; connection: Duplex }>

/** Writes events without the library, because only the id differs between subscribers. */
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
 * Streams the events of a subscription to its connection, and counts it as open until it ends. graphql-ws gets a
 * subscription without events.
 */
export function streamEvents(
  events: LiveEvents,
  write: EventWriter,
  { openSubscription }: SocketMetrics,
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
