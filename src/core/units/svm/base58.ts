import { bytesToHex, hexToBytes } from 'viem'

// Not ox/Base58: it drops a digit of all-zero bytes, such as the native currency, and adds a byte when it reads them.

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const digitOf = new Map([...alphabet].map((letter, digit) => [letter, digit]))

/** The largest number of digits whose value is a safe integer. */
const chunkDigits = 9
const chunk = 58n ** BigInt(chunkDigits)

/** One `1` for each leading zero byte, then the rest as a number of base 58. */
export function encodeBase58(bytes: Uint8Array): string {
  const zeros = leading(bytes, 0)
  let value = zeros === bytes.length ? 0n : BigInt(bytesToHex(bytes))
  let digits = ''
  while (value > 0n) {
    let rest = Number(value % chunk)
    value /= chunk
    for (let left = chunkDigits; value > 0n ? left > 0 : rest > 0; left -= 1) {
      digits = alphabet.charAt(rest % 58) + digits
      rest = Math.floor(rest / 58)
    }
  }
  return '1'.repeat(zeros) + digits
}

/**
 * Takes quadratic time: limit the length of foreign text before.
 * @throws RangeError if a character is not of the alphabet
 */
export function decodeBase58(text: string): Uint8Array {
  const zeros = leading(text, '1')
  let value = 0n
  for (let at = zeros; at < text.length; at += chunkDigits) {
    const part = text.slice(at, at + chunkDigits)
    value = value * 58n ** BigInt(part.length) + BigInt(numberOf(part))
  }
  const hex = value === 0n ? '' : value.toString(16)
  const even = hex.length % 2 === 0 ? hex : `0${hex}`
  return hexToBytes(`0x${'00'.repeat(zeros)}${even}`)
}

function numberOf(part: string): number {
  let value = 0
  for (const letter of part) {
    const digit = digitOf.get(letter)
    if (digit === undefined) throw new RangeError(`${JSON.stringify(letter)} is not in base58`)
    value = value * 58 + digit
  }
  return value
}

/** The number of elements at the start that are `first`. */
function leading<Element>(list: ArrayLike<Element>, first: Element): number {
  let count = 0
  while (count < list.length && list[count] === first) count += 1
  return count
}
