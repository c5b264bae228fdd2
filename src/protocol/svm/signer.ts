import * as Ed25519 from 'ox/Ed25519'
import { type Pubkey, pubkeyOf } from '#src/core/units/svm/pubkey.ts'

/** An account whose key signs. */
export type SvmSigner = Readonly<{
  pubkey: Pubkey
  /** The 64 bytes of an ed25519 signature of `message`. */
  sign: (message: Uint8Array) => Promise<Uint8Array>
}>

/**
 * The signer of a key: 32 bytes, or the 64 bytes of a key file, which are the key and its public key.
 * @throws RangeError, without the key, for another length, and for a public key that is not the one of the key
 */
export function keySigner(key: Uint8Array): SvmSigner {
  if (key.length !== 32 && key.length !== 64)
    throw new RangeError(`A key has 32 or 64 bytes, not ${key.length}`)
  const privateKey = key.slice(0, 32)
  const publicKey = Ed25519.getPublicKey({ privateKey, as: 'Bytes' })
  if (key.length === 64 && publicKey.some((byte, at) => byte !== key[32 + at]))
    throw new RangeError('The second half of the key is not the public key of the first')
  return {
    pubkey: pubkeyOf(publicKey),
    sign: async (message) => Ed25519.sign({ payload: message, privateKey, as: 'Bytes' }),
  }
}

/**
 * The signer of a key file, as `solana-keygen` writes it: a JSON list of the 64 bytes of the key and its public key.
 * @throws RangeError, without a part of the file, for anything else
 */
export function keyFileSigner(text: string): SvmSigner {
  let bytes: unknown
  try {
    bytes = JSON.parse(text)
  } catch {
    bytes = undefined
  }
  const isByte = (value: unknown) => Number.isInteger(value) && Number(value) >> 8 === 0
  if (!(Array.isArray(bytes) && bytes.length === 64 && bytes.every(isByte)))
    throw new RangeError('A key file is a JSON list of 64 bytes')
  return keySigner(Uint8Array.from(bytes))
}
