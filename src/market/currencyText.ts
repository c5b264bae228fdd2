import { decodeAbiParameters, type Hex, hexToBytes, size } from 'viem'

/** More decimals than any real currency has; beyond it a contract is taken for a liar. */
export const mostDecimals = 36

/** Longer answers are not looked at: no honest symbol or name needs them. */
const mostBytes = 4096

/**
 * `decimals()` as the contract answered it.
 * @returns undefined unless the answer is one word worth 0 to 36.
 */
export function decodeDecimals(data: Hex): number | undefined {
  if (size(data) !== 32) return undefined
  const decimals = BigInt(data)
  return decimals <= BigInt(mostDecimals) ? Number(decimals) : undefined
}

/**
 * `symbol()` or `name()` as the contract answered it, a string or the bytes32 of old contracts,
 * made fit to show: without control, format and unassigned characters, white space joined, and no
 * longer than `mostCharacters`.
 * @returns undefined where nothing readable is left.
 */
export function decodeText(data: Hex, mostCharacters: number): string | undefined {
  if (size(data) > mostBytes) return undefined
  const raw = size(data) === 32 ? decodeBytes32(data) : decodeString(data)
  const clean = raw
    .replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
  const text = Array.from(clean).slice(0, mostCharacters).join('').trim()
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
