import { isAddress } from 'viem'
import type { Branded } from './brand.ts'

/** An EVM address in lower case, so that two spellings of one account are one map key. */
export type Address = Branded<`0x${string}`, 'Address'>

/**
 * Takes lower case, upper case and EIP-55 checksummed spellings.
 * @throws RangeError for anything else, a mixed-case address with a wrong checksum included.
 */
export function toAddress(text: string): Address {
  const digits = /^0x([0-9a-fA-F]{40})$/.exec(text)?.[1]
  if (digits === undefined) throw new RangeError('An address is 0x and 40 hexadecimal digits')
  const lower = `0x${digits.toLowerCase()}`
  const oneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase()
  if (!oneCase && !isAddress(text, { strict: true }))
    throw new RangeError('The checksum (EIP-55) of this mixed-case address does not match')
  return lower as Address
}

/** How every chain's native currency is named. */
export const nativeAddress: Address = toAddress('0x0000000000000000000000000000000000000000')
