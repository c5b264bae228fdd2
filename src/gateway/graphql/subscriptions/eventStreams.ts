import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { onceWritten } from '#src/gateway/http/onceWritten.ts'
import { corsHeaders } from '#src/gateway/http/reply.ts'
import type { EncodedEvent, LiveEvents } from './liveEvents.ts'

/** Subscriptions over server-sent events. */
export type EventStreams = Readonly<{
  open: (response: ServerResponse, headers: OutgoingHttpHeaders, events: LiveEvents) => void
  /** Ends all streams without the `complete` event, so that clients reconnect to another process. */
  close: () => void
}>

type Options = Readonly<{
  /** Time between heartbeats. A client that has read nothing for two of them is disconnected. */
  heartbeatSeconds: number
}>

type Stream = { response: ServerResponse; end: () => void; isFull: boolean; wasFull: boolean }

type Frame = Readonly<{ plain: Buffer; chunk: Buffer }>

const heartbeat = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

export function createEventStreams(
  { onOpen }: Readonly<{ onOpen: () => () => void }>,
  { heartbeatSeconds }: Options = { heartbeatSeconds: 12 },
): EventStreams {
  const streams = new Set<Stream>()
  /** The bytes of an event, shared by all its subscribers: plain, and as a chunk of HTTP/1.1. */
  const frames = new WeakMap<EncodedEvent, Frame>()
  const frameOf = (event: EncodedEvent): Frame => {
    const known = frames.get(event)
    if (known !== undefined) return known
    const plain = Buffer.from(`event: next\ndata: ${event.text}\n\n`)
    const [size, end] = [`${plain.length.toString(16)}\r\n`, '\r\n']
    const frame = { plain, chunk: Buffer.concat([Buffer.from(size), plain, Buffer.from(end)]) }
    frames.set(event, frame)
    return frame
  }

  // Proxies and clients close streams that are silent for too long.
  setInterval(() => {
    for (const stream of streams) {
      if (!stream.isFull) stream.response.write(heartbeat)
      else if (stream.wasFull) stream.response.destroy()
      stream.wasFull = stream.isFull
    }
  }, heartbeatSeconds * 1000).unref()

  /** Writes a chunk with one write; node:http needs four. */
  const write = ({ response }: Stream, { plain, chunk }: Frame): void => {
    const { socket, chunkedEncoding } = response
    if (socket === null || !chunkedEncoding) response.write(plain)
    else socket.write(chunk)
  }

  const send = (stream: Stream, events: LiveEvents): void => {
    const { response } = stream
    const isOpen = () => !response.destroyed && !response.writableEnded
    const take = (event: EncodedEvent): boolean => {
      const { socket } = response
      if (!isOpen() || socket === null) return false
      write(stream, frameOf(event))
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

  return {
    open: (response, headers, events) => {
      const end = () => {
        const { socket } = response
        response.end(() => socket?.destroySoon())
      }
      const stream: Stream = { response, end, isFull: false, wasFull: false }
      const closed = onOpen()
      streams.add(stream)
      response.once('close', () => {
        streams.delete(stream)
        closed()
        void events.return()
      })
      response.writeHead(200, {
        ...corsHeaders,
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        ...headers,
      })
      // Some browsers report a response only after its first byte.
      response.write(heartbeat)
      send(stream, events)
    },
    close: () => {
      for (const { response, end, isFull } of streams) {
        if (isFull) response.destroy()
        else end()
      }
    },
  }
}
