import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { httpChunk, onceWritten } from '#src/gateway/http/frames.ts'
import { corsHeaders } from '#src/gateway/http/reply.ts'
import type { EncodedEvent, LiveEvents } from './liveEvents.ts'

/** Subscriptions over server-sent events. */
type EventStreams = Readonly<{
  open: (response: ServerResponse, headers: OutgoingHttpHeaders, events: LiveEvents) => void
  /** Ends all streams without the `complete` event, so that clients reconnect to another process. */
  close: () => void
}>

type Options = Readonly<{
  /** Time between heartbeats. A client that has read nothing for two of them is disconnected. */
  heartbeatSeconds: number
}>

/** `isFull` while written bytes wait for the client, and `wasFull` if they already did at the last heartbeat. */
type Stream = { response: ServerResponse; isFull: boolean; wasFull: boolean }

const heartbeat = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

const headersOfStream = {
  ...corsHeaders,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
}

export function createEventStreams(
  { onOpen }: Readonly<{ onOpen: () => () => void }>,
  { heartbeatSeconds }: Options = { heartbeatSeconds: 12 },
): EventStreams {
  const streams = new Set<Stream>()
  const write = createEventWriter()

  // Proxies and clients close streams that are silent for too long.
  setInterval(() => {
    for (const stream of streams) {
      if (!stream.isFull) stream.response.write(heartbeat)
      else if (stream.wasFull) stream.response.destroy()
      stream.wasFull = stream.isFull
    }
  }, heartbeatSeconds * 1000).unref()

  return {
    open: (response, headers, events) => {
      const stream: Stream = { response, isFull: false, wasFull: false }
      const closed = onOpen()
      streams.add(stream)
      response.once('close', () => {
        streams.delete(stream)
        closed()
        void events.return()
      })
      response.writeHead(200, { ...headersOfStream, ...headers })
      // Some browsers report a response only after its first byte.
      response.write(heartbeat)
      sendAll(stream, events, write)
    },
    close: () => {
      for (const { response, isFull } of streams) {
        const { socket } = response
        if (isFull) response.destroy()
        else response.end(() => socket?.destroySoon())
      }
    },
  }
}

type EventWriter = (response: ServerResponse, event: EncodedEvent) => void

/** Writes the bytes of an event, which all its subscribers share, with one write; node:http needs four. */
function createEventWriter(): EventWriter {
  const frames = new WeakMap<EncodedEvent, Readonly<{ plain: string; chunk: Buffer }>>()
  const frameOf = (event: EncodedEvent) => {
    const known = frames.get(event)
    if (known !== undefined) return known
    const plain = `event: next\ndata: ${event.text}\n\n`
    const frame = { plain, chunk: httpChunk(plain) }
    frames.set(event, frame)
    return frame
  }
  return (response, event) => {
    const { socket, chunkedEncoding } = response
    const { plain, chunk } = frameOf(event)
    if (socket === null || !chunkedEncoding) response.write(plain)
    else socket.write(chunk)
  }
}

/** Sends the events of a subscription as long as the client reads them, then its end. */
function sendAll(stream: Stream, events: LiveEvents, write: EventWriter): void {
  const { response } = stream
  const isOpen = () => !response.destroyed && !response.writableEnded
  const take = (event: EncodedEvent): boolean => {
    const { socket } = response
    if (!isOpen() || socket === null) return false
    write(response, event)
    if (socket.writableLength === 0) return true
    stream.isFull = true
    // Meanwhile newer prices replace older ones. Status events fill a queue in the hub, and the subscription ends if
    // it is full.
    onceWritten(socket, () => {
      stream.isFull = false
      stream.wasFull = false
      resume()
    })
    return false
  }
  const end = () => {
    if (isOpen()) response.end(complete)
  }
  const resume = events.flow({ take, end })
}
