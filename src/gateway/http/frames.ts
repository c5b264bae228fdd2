import type { Duplex } from 'node:stream'

/*
 * Bytes of the two transports of subscriptions. The libraries encode each message again for each subscriber, and write
 * its header separately. These frames are shared and take one write. Tests compare them with those of the libraries.
 */

const [textOpcode, finalBit] = [0x1, 0x80]
/** Lengths above `maxTiny` are written in 16 bits, and above `maxShort` in 64. */
const [maxTiny, maxShort] = [125, 65_535]

/**
 * A text message of a WebSocket server as one frame, unmasked and uncompressed (RFC 6455, section 5.2): `before`, then
 * `payload`, both UTF-8.
 */
export function textFrame(before: Uint8Array, payload: Uint8Array): Buffer {
  const length = before.length + payload.length
  const headerBytes = headerLength(length)
  const frame = Buffer.allocUnsafe(headerBytes + length)
  frame[0] = finalBit | textOpcode
  if (length <= maxTiny) frame[1] = length
  else if (length <= maxShort) {
    frame[1] = maxTiny + 1
    frame[2] = length >>> 8
    frame[3] = length & 0xff
  } else {
    frame[1] = maxTiny + 2
    frame.writeBigUInt64BE(BigInt(length), 2)
  }
  frame.set(before, headerBytes)
  frame.set(payload, headerBytes + before.length)
  return frame
}

const headerLength = (length: number): number => {
  if (length <= maxTiny) return 2
  return length <= maxShort ? 4 : 10
}

/** Text as one chunk of an HTTP/1.1 answer (RFC 9112, section 7.1). */
export function httpChunk(text: string): Buffer {
  const size = Buffer.byteLength(text).toString(16)
  return Buffer.from(`${size}\r\n${text}\r\n`)
}

/** Calls `done` once everything written so far has left this process, or the connection is closed. */
export const onceWritten = (connection: Duplex, done: () => void): void => {
  connection.write('', () => done())
}
