import type { Branded } from '#src/core/units/brand.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** 32 bytes in base58: the hash of a Solana block, of its genesis, or the value of a nonce account. */
export type Blockhash = Branded<string, 'Blockhash'>

/** @throws RangeError for anything but 32 bytes in base58 */
export function toBlockhash(text: string): Blockhash {
  const isShaped = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)
  if (!isShaped || decodeBase58(text).length !== 32)
    throw new RangeError('A Solana block hash is 32 bytes in base58')
  return text as Blockhash
}

/** @throws RangeError unless there are 32 bytes */
export const blockhashOf = (bytes: Uint8Array): Blockhash => toBlockhash(encodeBase58(bytes))
