import { isAddress } from 'viem'
import type { Branded } from './brand.ts'

/** An account, or the contract of a currency, of any virtual machine, in the canonical spelling of its chain. */
export type Account = Branded<string, 'Address' | 'Account' | 'Pubkey'>

/** An EVM address in lower case, so that every spelling of an account is the same map key. */
export type Address = Branded<`0x${string}`, 'Address'>

/**
 * Accepts lower-case, upper-case and EIP-55 checksummed addresses.
 * @throws RangeError for anything else, including a mixed-case address with a wrong checksum.
 */
export function toAddress(text: string): Address {
  // Fast path: the gateway and most clients write addresses in lower case.
  if (/^0x[0-9a-f]{40}$/.test(text)) return text as Address
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1]
  if (digits === undefined) throw new RangeError('An address is 0x and 40 hexadecimal digits')
  const lower = `0x${digits.toLowerCase()}`
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!oneCase && !isAddress(text, { strict: true }))
    throw new RangeError('The checksum (EIP-55) of this mixed-case address does not match')
  return lower as Address
}

/**
 * The account as an EVM address, for code that works on EVM chains only.
 * @throws RangeError if it belongs to another virtual machine
 */
export function evmAddress(account: Account): Address {
  if (!/^0x[0-9a-f]{40}$/.test(account)) throw new RangeError(`${account} is not an EVM address`)
  return account as Address
}

/** Address of the native currency on every EVM chain. */
export const nativeAddress: Address = toAddress('0x0000000000000000000000000000000000000000')
