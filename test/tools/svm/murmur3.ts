/** The 32-bit hash by which programs name system calls. @source solana-sbpf: ebpf::hash_symbol_name */
export function murmur3(text: string): number {
  const bytes = Buffer.from(text)
  const whole = bytes.length - (bytes.length % 4)
  let hash = 0
  for (let at = 0; at < whole; at += 4) {
    hash = rotate(hash ^ scramble(bytes.readUInt32LE(at)), 13)
    hash = (Math.imul(hash, 5) + 0xe6546b64) | 0
  }
  if (whole < bytes.length) hash ^= scramble(bytes.readUIntLE(whole, bytes.length - whole))
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

const scramble = (word: number): number =>
  Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
