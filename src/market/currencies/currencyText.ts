import { decodeAbiParameters, type Hex, hexToBytes, size } from 'viem'

/**
 * Decodes the return value of `symbol()` or `name()`, a string or the bytes32 of old contracts, for display: without
 * control, format and unassigned characters, with single spaces, cut to `maxCharacters`.
 * @returns undefined if no readable text remains.
 */
export function decodeText(data: Hex, maxCharacters: number): string | undefined {
  const raw = size(data) === 32 ? decodeBytes32(data) : decodeString(data)
  const clean = raw
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  const text = Array.from(clean).slice(0, maxCharacters).join('').trim()
  return text === '' ? undefined : text
}

function decodeBytes32(word: Hex): string {
  const bytes = hexToBytes(word)
  const end = bytes.indexOf(0)
  return new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end))
}

function decodeString(data: Hex): string {
  try {
    return decodeAbiParameters([{ type: 'string' }], data)[0]
  } catch {
    return ''
  }
}
