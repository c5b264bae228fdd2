import { type Address, nativeAddress } from './address.ts'

/** An EIP-7702 authorization: the account that signed it takes on the code of another. */
export type Authorization = Readonly<{
  /** 0 for every chain. */
  chainId: number
  /** Whose code the account delegates to; the zero address ends the delegation. */
  address: Address
  /** Transactions that the account has sent before, and authorizations of it that chains have applied. */
  nonce: number
  yParity: number
  /** Padded to 32 bytes. Never logged or shown. */
  r: `0x${string}`
  /** In the lower half of the curve's order, padded to 32 bytes. Never logged or shown. */
  s: `0x${string}`
  /** The account that signed it. */
  authority: Address
}>

/** An account as a chain knows it. */
export type AuthorityState = Readonly<{ nonce: number; code: `0x${string}` }>

const delegationPrefix = '0xef0100'

/** No contract has such code: EIP-3541 forbids a first byte of ef. */
const isDelegation = (code: `0x${string}`): boolean =>
  code.length === 48 && code.toLowerCase().startsWith(delegationPrefix)

/** Whether an account can delegate: contracts cannot. */
export const mayDelegate = ({ code }: Pick<AuthorityState, 'code'>): boolean =>
  code === '0x' || isDelegation(code)

/**
 * What a chain makes of an authorization: it applies, it stands already, or it is stale and would be skipped without an
 * error.
 */
export function effectOf(
  { address, nonce }: Pick<Authorization, 'address' | 'nonce'>,
  state: AuthorityState,
): 'applies' | 'stands' | 'stale' {
  const standing = address === nativeAddress ? '0x' : `${delegationPrefix}${address.slice(2)}`
  if (state.code.toLowerCase() === standing) return 'stands'
  return mayDelegate(state) && state.nonce === nonce ? 'applies' : 'stale'
}
