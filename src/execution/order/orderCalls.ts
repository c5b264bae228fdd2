import { decodeAbiParameters, encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import type { Tx } from '#src/pricing/order.ts'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'

/** One tuple, as Solidity encodes a struct: with the offset of its fields before them. */
const callParameters = parseAbiParameters('(address to, bytes data, uint256 value)')

/** A call of an order's output, as the order holds it. */
export const encodeOrderCall = ({ to, data, value }: Tx): Hex =>
  encodeAbiParameters(callParameters, [{ to, data, value }])

/** @throws viem's error where `encoded` is no call. */
export function decodeOrderCall(encoded: Hex): Tx {
  const [{ to, data, value }] = decodeAbiParameters(callParameters, encoded)
  return { to: toAddress(to), data, value: toAmount(value) }
}
