import type { Address } from '#src/core/units/address.ts'
import type { Branded } from '#src/core/units/brand.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Pips } from '#src/core/units/pips.ts'

/** The 32 bytes by which a pool manager identifies one of its pools. */
export type ManagedPoolId = Branded<`0x${string}`, 'ManagedPoolId'>

/** The unique id of a pool on its chain: its address, or its id in its manager. */
export type PoolId = Address | ManagedPoolId

export const poolIdOf = ({ id, address }: Pick<PoolIdentity, 'id' | 'address'>): PoolId =>
  id ?? address

/** @throws RangeError unless it is 0x and 64 hexadecimal digits. */
export function toManagedPoolId(text: string): ManagedPoolId {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) throw new RangeError('The id of a pool has 32 bytes')
  return text.toLowerCase() as ManagedPoolId
}

/** The properties of every pool, whatever its kind. */
export type PoolIdentity = Readonly<{
  chainId: ChainId
  /** The contract that swaps and emits the events: the pool itself, or its manager. */
  address: Address
  /** Present for a pool of a manager. */
  id?: ManagedPoolId
  /** Name of its swap source in the configuration, such as `uniswap-v3`. */
  source: string
  /** ERC-20 addresses, in the order of the contracts. */
  currency0: Address
  currency1: Address
  /** Set if the contract's currency0 is the native currency; `currency0` is then the wrapped one. */
  hasNative?: true
  /** Charged on the input. */
  fee: Pips
}>
