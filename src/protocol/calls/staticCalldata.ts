import type { Hex } from 'viem'

/**
 * Calldata of a function whose arguments take one word each: a uint256, an address, or 32 bytes. Hand-written for
 * speed, because viem walks the types of the function for each call. The tests compare the two.
 */
export const staticCalldata = (selector: Hex, args: readonly (bigint | Hex)[]): Hex => {
  let data = selector
  for (const arg of args) data += wordOf(arg)
  return data
}

const wordOf = (arg: bigint | Hex): string =>
  (typeof arg === 'bigint' ? arg.toString(16) : arg.slice(2)).padStart(64, '0')
