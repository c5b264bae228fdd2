import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { EncodedEvent, LiveEvents } from './liveEvents.ts'

/** Answers that go on: server-sent events. */
export type EventStreams = Readonly<{
  open: (response: ServerResponse, headers: OutgoingHttpHeaders, events: LiveEvents) => void
  /** Ends them without their last word, for clients to come again elsewhere. */
  close: () => void
}>

type Options = Readonly<{
  /** Between signs of life; a reader that takes nothing from one to the next but one is gone. */
  pulseSeconds: number
}>

type Stream = { response: ServerResponse; end: () => void; isFull: boolean; wasFull: boolean }

const pulse = ':\n\n'
const complete = 'event: complete\ndata:\n\n'

export function createEventStreams(
  { onOpen }: Readonly<{ onOpen: () => () => void }>,
  { pulseSeconds }: Options = { pulseSeconds: 12 },
): EventStreams {
  const streams = new Set<Stream>()
  /** The bytes of an event are the same for all who get it. */
  const frames = new WeakMap<EncodedEvent, Buffer>()
  const frameOf = (event: EncodedEvent): Buffer => {
    const known = frames.get(event)
    if (known !== undefined) return known
    const frame = Buffer.from(`event: next\ndata: ${event.text}\n\n`)
    frames.set(event, frame)
    return frame
  }

  // Lets proxies and readers know that the stream lives.
  setInterval(() => {
    for (const stream of streams) {
      if (!stream.isFull) stream.response.write(pulse)
      else if (stream.wasFull) stream.response.destroy()
      stream.wasFull = stream.isFull
    }
  }, pulseSeconds * 1000).unref()

  const send = async (stream: Stream, events: LiveEvents): Promise<void> => {
    const { response } = stream
    for (;;) {
      const { done, value } = await events.next()
      if (response.destroyed || response.writableEnded) return
      if (done === true) return void response.end(complete)
      if (response.write(frameOf(value))) continue
      stream.isFull = true
      // Nothing is read from the hub meanwhile: a queue of its own fills up there, and ends it.
      await drained(response)
      stream.isFull = false
    }
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
        void events.return?.()
      })
      response.writeHead(200, {
        'access-control-allow-origin': '*',
        'x-content-type-options': 'nosniff',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
        ...headers,
      })
      // Some browsers tell nobody of an answer before its first byte.
      response.write(pulse)
      void send(stream, events)
    },
    close: () => {
      for (const { response, end, isFull } of streams) {
        if (isFull) response.destroy()
        else end()
      }
    },
  }
}

/** Its buffer is empty, or it is closed. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
