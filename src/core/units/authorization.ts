import { type Address, nativeAddress } from './address.ts'

/** An EIP-7702 authorization: its signer delegates to the code of another account. */
export type Authorization = Readonly<{
  /** 0: valid on every chain. */
  chainId: number
  /** Account with the delegated code; the zero address ends the delegation. */
  address: Address
  /** Nonce of the signer: the number of its sent transactions and applied authorizations. */
  nonce: number
  yParity: number
  /** Padded to 32 bytes. Never logged or shown. */
  r: `0x${string}`
  /** In the lower half of the curve's order, padded to 32 bytes. Never logged or shown. */
  s: `0x${string}`
  /** The account that signed it. */
  authority: Address
}>

/** Nonce and code of an account on a chain. */
export type AuthorityState = Readonly<{ nonce: number; code: `0x${string}` }>

const delegationPrefix = '0xef0100'

/** Contracts cannot have such code: EIP-3541 forbids a first byte of ef. */
const isDelegation = (code: `0x${string}`): boolean =>
  code.length === 48 && code.toLowerCase().startsWith(delegationPrefix)

/** Whether an account can delegate. Contracts cannot. */
export const mayDelegate = ({ code }: Pick<AuthorityState, 'code'>): boolean =>
  code === '0x' || isDelegation(code)

/**
 * Effect of an authorization on a chain.
 * - `applies`: the chain would apply it.
 * - `applied`: the account already has the delegated code.
 * - `stale`: the chain would skip it without an error.
 */
export function effectOf(
  { address, nonce }: Pick<Authorization, 'address' | 'nonce'>,
  state: AuthorityState,
): 'applies' | 'applied' | 'stale' {
  const delegatedCode = address === nativeAddress ? '0x' : `${delegationPrefix}${address.slice(2)}`
  if (state.code.toLowerCase() === delegatedCode) return 'applied'
  return mayDelegate(state) && state.nonce === nonce ? 'applies' : 'stale'
}
