import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { httpChunk, textFrame } from './frames.ts'

/** The frame that the WebSocket library writes for the same message. */
function libraryFrame(text: string): Buffer {
  const written: Buffer[] = []
  const duplex = new Duplex({
    read: () => {},
    write: (chunk: Buffer, _, done) => {
      written.push(chunk)
      done()
    },
  })
  const socket = Object.assign(duplex, { setTimeout: () => {}, setNoDelay: () => {} })
  const server = new WebSocketServer({ noServer: true })
  const headers = {
    upgrade: 'websocket',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'sec-websocket-version': '13',
  }
  server.handleUpgrade({ method: 'GET', headers } as never, socket, Buffer.alloc(0), (opened) => {
    written.length = 0
    opened.send(text)
  })
  const whole = Buffer.concat(written)
  socket.destroy()
  return whole
}

it('text frames equal those that the library writes', () => {
  const before = fc.string({ unit: 'grapheme', maxLength: 40 })
  // Around each length from which on the header is longer.
  const filling = fc
    .constantFrom(0, 80, 120, 126, 65_400, 65_536)
    .chain((least) => fc.integer({ min: least, max: least + 150 }))
  fc.assert(
    fc.property(before, fc.string({ unit: 'grapheme' }), filling, (before, text, fill) => {
      const payload = `${text}${'x'.repeat(fill)}`
      const frame = textFrame(Buffer.from(before), Buffer.from(payload))
      expect(frame.equals(libraryFrame(`${before}${payload}`))).toBe(true)
    }),
    { numRuns: 200 },
  )
})

/** The bytes that node:http writes for the same chunk. */
function nodeChunk(text: string): Buffer {
  const socket = new Socket()
  const written: Buffer[] = []
  socket.write = (chunk: string | Uint8Array, encoding?: unknown) => {
    written.push(
      Buffer.from(chunk as string, typeof encoding === 'string' ? (encoding as 'utf8') : 'utf8'),
    )
    return true
  }
  const request = new IncomingMessage(socket)
  request.httpVersionMajor = 1
  request.httpVersionMinor = 1
  const response = new ServerResponse(request)
  response.assignSocket(socket)
  response.flushHeaders()
  written.length = 0
  response.write(text)
  return Buffer.concat(written)
}

it('chunks equal those that node:http writes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 400 }), (text) => {
      expect(httpChunk(text).toString()).toBe(nodeChunk(text).toString())
    }),
  )
})
