import { createHash } from 'node:crypto'
import { encodeBase58 } from '#src/core/units/svm/base58.ts'
import { type Pubkey, pubkeyBytes } from '#src/core/units/svm/pubkey.ts'
import { keySigner, type SvmSigner } from '#src/protocol/svm/signer.ts'

/** An account of the devnet. Anybody knows its key. */
export type SvmAccount = Readonly<{
  address: Pubkey
  /** Base58 of the 64 bytes that wallets import: the key and its public key. */
  privateKey: string
}>

export type SvmDevnetSigner = SvmSigner & Readonly<{ account: SvmAccount }>

/** The signer of this name: always the same one. */
export function svmSigner(name: string): SvmDevnetSigner {
  const key = createHash('sha256').update(`crossquote devnet ${name}`).digest()
  const signer = keySigner(new Uint8Array(key))
  const privateKey = encodeBase58(Buffer.concat([key, pubkeyBytes(signer.pubkey)]))
  return { ...signer, account: { address: signer.pubkey, privateKey } }
}

/** Wallets for people and tests. */
export const svmUsers = [1, 2, 3, 4, 5].map((number) => svmSigner(`user ${number}`))

/** Pays out. */
export const svmSolver = svmSigner('solver')

/** Signs payouts of the depository. */
export const svmAllocator = svmSigner('allocator')

/** Owns the depository, and mints currencies. */
export const svmOwner = svmSigner('owner')
