import type { Address } from '#src/units/address.ts'
import type { Branded } from '#src/units/brand.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Pips } from '#src/units/pips.ts'

/** The 32 bytes by which the manager of several pools knows one of them. */
export type ManagedPoolId = Branded<`0x${string}`, 'ManagedPoolId'>

/** What tells a pool from all others of its chain: its address, or the id by which its manager knows it. */
export type PoolId = Address | ManagedPoolId

export const poolIdOf = ({ id, address }: Pick<PoolIdentity, 'id' | 'address'>): PoolId =>
  id ?? address

/** @throws RangeError unless it is 0x and 64 hexadecimal digits. */
export function toManagedPoolId(text: string): ManagedPoolId {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new RangeError('The id of a pool has 32 bytes')
  return text.toLowerCase() as ManagedPoolId
}

/** What every pool has, whatever its kind. */
export type PoolIdentity = Readonly<{
  chainId: ChainId
  /** Who is called for a swap and emits the events: the pool itself, or its manager. */
  address: Address
  /** Present for a pool of a manager. */
  id?: ManagedPoolId
  /** Name of its swap source in the configuration, such as `uniswap-v3`. */
  source: string
  /** ERC-20 addresses, in the order of the contracts. */
  currency0: Address
  currency1: Address
  /** The pool has the native currency as its currency0. The wrapped one stands for it here. */
  hasNative?: true
  /** Taken from the input. */
  fee: Pips
}>
