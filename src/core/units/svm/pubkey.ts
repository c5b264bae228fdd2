import type { Branded } from '#src/core/units/brand.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** A Solana account in base58: a public key, or an address without a key. Each account has exactly one spelling. */
export type Pubkey = Branded<string, 'Pubkey'>

/** @throws RangeError, in words for a user, for anything but 32 bytes in base58 */
export function toPubkey(text: string): Pubkey {
  const isShaped = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
  if (!isShaped || decodeBase58(text).length !== 32)
    throw new RangeError('A Solana address is 32 bytes in base58: 32 to 44 letters and digits')
  return text as Pubkey
}

/** @throws RangeError unless there are 32 bytes */
export function pubkeyOf(bytes: Uint8Array): Pubkey {
  if (bytes.length !== 32)
    throw new RangeError(`A Solana address has 32 bytes, not ${bytes.length}`)
  return toPubkey(encodeBase58(bytes))
}

/** The 32 bytes of an account. */
export const pubkeyBytes = (pubkey: Pubkey): Uint8Array => decodeBase58(pubkey)

/** SOL as a currency: the address of the system program, as public interfaces write it. */
export const svmNative: Pubkey = toPubkey('11111111111111111111111111111111')

/** Burns what it gets. @source solana-incinerator */
export const incinerator: Pubkey = toPubkey('1nc1nerator11111111111111111111111111111111')
