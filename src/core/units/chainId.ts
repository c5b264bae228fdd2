import type { Branded } from './brand.ts'

/** EIP-155 chain id: a positive safe integer. */
export type ChainId = Branded<number, 'ChainId'>

/** @throws RangeError unless `value` is a positive safe integer. */
export function toChainId(value: number): ChainId {
  if (!Number.isSafeInteger(value) || value < 1)
    throw new RangeError(`A chain id must be a positive safe integer: ${value}`)
  return value as ChainId
}
