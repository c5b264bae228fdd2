import type { Branded } from '#src/core/units/brand.ts'
import { decodeBase58, encodeBase58 } from './base58.ts'

/** The first signature of a Solana transaction in base58, which is its id. */
export type SvmSignature = Branded<string, 'SvmSignature'>

/** @throws RangeError for anything but 64 bytes in base58 */
export function toSvmSignature(text: string): SvmSignature {
  const isShaped = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(text)
  if (!isShaped || decodeBase58(text).length !== 64)
    throw new RangeError('A Solana signature is 64 bytes in base58: 64 to 88 letters and digits')
  return text as SvmSignature
}

/** @throws RangeError unless there are 64 bytes */
export const svmSignatureOf = (bytes: Uint8Array): SvmSignature =>
  toSvmSignature(encodeBase58(bytes))
