import { type Pubkey, pubkeyOf } from '#src/core/units/svm/pubkey.ts'

// Programs write integers in little-endian order.

export const u8 = (value: number): Uint8Array => integer(BigInt(value), 1)
export const u32 = (value: number): Uint8Array => integer(BigInt(value), 4)
export const u64 = (value: bigint): Uint8Array => integer(value, 8)

export const i64 = (value: bigint): Uint8Array => {
  if (BigInt.asIntN(64, value) !== value)
    throw new RangeError(`${value} is not a signed 64-bit number`)
  return integer(BigInt.asUintN(64, value), 8)
}

function integer(value: bigint, size: number): Uint8Array {
  if (BigInt.asUintN(8 * size, value) !== value)
    throw new RangeError(`${value} is not an unsigned ${8 * size}-bit number`)
  return Uint8Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * at)) & 0xffn))
}

/** The length of a list in a transaction: 7 bits a byte. @source solana-short-vec */
export function compactLength(length: number): Uint8Array {
  const bytes: number[] = []
  for (let rest = length; bytes.length === 0 || rest > 0; rest >>= 7)
    bytes.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest)
  return Uint8Array.from(bytes)
}

/** There are fewer bytes than the layout needs, or one of them has a value that it does not allow. */
export class LayoutError extends RangeError {}

/** Reads one field after another. Every method throws LayoutError past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get left(): number {
    return this.#bytes.length - this.#at
  }

  take(length: number): Uint8Array {
    if (this.left < length) throw new LayoutError(`${length - this.left} bytes are missing`)
    this.#at += length
    return this.#bytes.slice(this.#at - length, this.#at)
  }

  u8(): number {
    return Number(this.#integer(1))
  }

  u32(): number {
    return Number(this.#integer(4))
  }

  u64(): bigint {
    return this.#integer(8)
  }

  i64(): bigint {
    return BigInt.asIntN(64, this.#integer(8))
  }

  pubkey(): Pubkey {
    return pubkeyOf(this.take(32))
  }

  /** At most 3 bytes, and no more than needed. @source solana-short-vec */
  compactLength(): number {
    let length = 0
    for (let shift = 0; ; shift += 7) {
      const byte = this.u8()
      length |= (byte & 0x7f) << shift
      const isPadded = byte === 0 && shift > 0
      if (isPadded || shift > 14 || length > 0xffff) throw new LayoutError('an invalid length')
      if (byte < 0x80) return length
    }
  }

  #integer(size: number): bigint {
    return this.take(size).reduceRight((value, byte) => value * 256n + BigInt(byte), 0n)
  }
}

/** What `read` returns; undefined if the bytes do not have the layout. */
export function readLayout<Value>(
  bytes: Uint8Array,
  read: (reader: ByteReader) => Value | undefined,
): Value | undefined {
  try {
    return read(new ByteReader(bytes))
  } catch (error) {
    if (error instanceof LayoutError) return undefined
    throw error
  }
}
