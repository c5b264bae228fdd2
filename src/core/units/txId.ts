import type { Hash } from 'viem'
import { type Blockhash, toBlockhash } from './svm/blockhash.ts'
import { type SvmSignature, toSvmSignature } from './svm/signature.ts'

/** The id of a transaction of any virtual machine. */
export type TxId = Hash | SvmSignature

/** The hash of a block of any virtual machine. */
export type BlockHash = Hash | Blockhash

export const isEvmHash = (text: string): text is Hash => /^0x[0-9a-f]{64}$/.test(text)

/** @throws RangeError for anything but a hash in lower case, or a signature in base58 */
export const toTxId = (text: string): TxId => (isEvmHash(text) ? text : toSvmSignature(text))

/** @throws RangeError for anything but a hash in lower case, or 32 bytes in base58 */
export const toBlockHash = (text: string): BlockHash => (isEvmHash(text) ? text : toBlockhash(text))

/**
 * The id as an EVM hash, for code that works on EVM chains only.
 * @throws RangeError if it belongs to another virtual machine
 */
export function evmHash(id: TxId | BlockHash): Hash {
  if (!isEvmHash(id)) throw new RangeError(`${id} is not an EVM hash`)
  return id
}
