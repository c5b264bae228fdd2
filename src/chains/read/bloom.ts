import { LRUCache } from 'lru-cache'
import { type Hex, hexToBytes, keccak256 } from 'viem'

type Item = Hex
type Logged = Readonly<{ address: Hex; topics: readonly Hex[] }>

const bloomBits = 2048

/** A cache, because the same topics and addresses are tested for every block. */
const wantedBits = new LRUCache<Item, readonly number[]>({ max: 4096 })

function knownBitsOf(item: Item): readonly number[] {
  const known = wantedBits.get(item) ?? bitsOf(item)
  wantedBits.set(item, known)
  return known
}

/** Whether the bloom filter may contain this address or topic. If false, it certainly does not. */
export const mayContain = (bloom: Uint8Array, item: Item): boolean =>
  knownBitsOf(item).every((bit) => ((bloom[byteOf(bit)] ?? 0) & (1 << (bit & 7))) !== 0)

/** The bloom filter of a block with exactly these logs: 256 bytes. @source Yellow Paper, section 4.4.1, M(O) */
export function bloomOf(logs: readonly Logged[]): Uint8Array {
  const bloom = new Uint8Array(bloomBits / 8)
  for (const item of new Set(logs.flatMap((log) => [log.address, ...log.topics])))
    for (const bit of bitsOf(item))
      bloom[byteOf(bit)] = (bloom[byteOf(bit)] ?? 0) | (1 << (bit & 7))
  return bloom
}

/** Whether every bit of `part` is set in `whole`. */
export const covers = (whole: Uint8Array, part: Uint8Array): boolean =>
  part.every((byte, at) => (byte & ~(whole[at] ?? 0)) === 0)

/** Share of the bits that are set, 0 to 1. Its cube is the probability of a false positive. */
export const fillOf = (bloom: Uint8Array): number =>
  bloom.reduce((set, byte) => set + bitCount(byte), 0) / bloomBits

/** The three bit indexes of an item, from eleven bits of its hash each. */
function bitsOf(item: Item): number[] {
  const digest = keccak256(hexToBytes(item), 'bytes')
  return [0, 2, 4].map((at) => (((digest[at] ?? 0) << 8) | (digest[at + 1] ?? 0)) & (bloomBits - 1))
}

/** Bit 0 is the lowest bit of the last byte. */
const byteOf = (bit: number): number => bloomBits / 8 - 1 - (bit >> 3)

const bitCount = (byte: number): number => byte.toString(2).replaceAll('0', '').length
