const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'

/**
 * The bytes of a text in base58.
 * @param {string} text
 * @throws {RangeError} if a character is not of the alphabet.
 */
export function decodeBase58(text) {
  let value = 0n
  for (const letter of text) {
    const digit = alphabet.indexOf(letter)
    if (digit < 0) throw new RangeError(`${letter} is not in base58`)
    value = value * 58n + BigInt(digit)
  }
  /** @type {number[]} */
  const bytes = []
  for (; value > 0n; value >>= 8n) bytes.unshift(Number(value & 0xffn))
  const zeros = /^1*/.exec(text)?.[0].length ?? 0
  return Uint8Array.from([...Array(zeros).fill(0), ...bytes])
}

/** @param {Uint8Array} bytes */
export function encodeBase58(bytes) {
  let value = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let digits = ''
  for (; value > 0n; value /= 58n) digits = alphabet.charAt(Number(value % 58n)) + digits
  const zeros = bytes.findIndex((byte) => byte !== 0)
  return '1'.repeat(zeros < 0 ? bytes.length : zeros) + digits
}
