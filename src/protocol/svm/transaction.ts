import { concatBytes } from 'viem'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { type SvmSignature, svmSignatureOf } from '#src/core/units/svm/signature.ts'
import { ByteReader, compactLength, LayoutError } from './bytes.ts'
import type { Instruction } from './instruction.ts'
import {
  type DecodedMessage,
  decodeMessage,
  encodeMessage,
  type LoadedAddresses,
  type Message,
  readList,
} from './message.ts'
import type { SvmSigner } from './signer.ts'
import { advanceNonce, type NonceOwner } from './systemProgram.ts'

/** @source solana-packet: PACKET_DATA_SIZE. Nodes refuse a larger transaction. */
export const maxTransactionBytes = 1_232

const signatureBytes = 64

/** A transaction as it is sent, and its id. */
export type SignedTransaction = Readonly<{ bytes: Uint8Array; signature: SvmSignature }>

/** The transaction does not fit into a packet. */
export class TransactionTooLargeError extends RangeError {
  constructor(bytes: number) {
    super(`The transaction has ${bytes} bytes, and at most ${maxTransactionBytes} are allowed`)
    this.name = 'TransactionTooLargeError'
  }
}

/** A message that lands only while the nonce account has the value `nonce`, however late. */
export const withNonce = (
  { nonceAccount, authority, nonce }: NonceOwner & Readonly<{ nonce: Blockhash }>,
  { payer, instructions }: Readonly<{ payer: Pubkey; instructions: readonly Instruction[] }>,
): Message => ({
  payer,
  instructions: [advanceNonce({ nonceAccount, authority }), ...instructions],
  lifetime: nonce,
})

/** A transaction whose signatures are zeros: for a simulation, and for wallets that sign it. */
export function unsignedTransaction(message: Message): Uint8Array {
  const encoded = encodeMessage(message)
  const signers = decodeMessage(encoded).signers.length
  return concatBytes([compactLength(signers), new Uint8Array(signers * signatureBytes), encoded])
}

/** The bytes of the transaction with all its signatures. */
export const transactionSize = (message: Message): number => unsignedTransaction(message).length

/**
 * A transaction of version 0.
 * @throws TransactionTooLargeError; RangeError if a signer is missing
 */
export async function signTransaction(
  message: Message,
  signers: readonly SvmSigner[],
): Promise<SignedTransaction> {
  const size = transactionSize(message)
  if (size > maxTransactionBytes) throw new TransactionTooLargeError(size)
  const encoded = encodeMessage(message)
  const signatures = await Promise.all(
    decodeMessage(encoded).signers.map((pubkey) => {
      const signer = signers.find((each) => each.pubkey === pubkey)
      if (signer === undefined) throw new RangeError(`The signature of ${pubkey} is missing`)
      return signer.sign(encoded)
    }),
  )
  const [first = new Uint8Array()] = signatures
  return {
    bytes: concatBytes([compactLength(signatures.length), ...signatures, encoded]),
    signature: svmSignatureOf(first),
  }
}

/** A transaction that was read. Its signatures are not verified. */
export type DecodedTransaction = DecodedMessage & Readonly<{ signatures: readonly SvmSignature[] }>

/**
 * @param loaded the accounts of lookup tables. An instruction that uses one cannot be read without them.
 * @throws LayoutError for anything but a legacy transaction or one of version 0
 */
export function decodeTransaction(bytes: Uint8Array, loaded?: LoadedAddresses): DecodedTransaction {
  const reader = new ByteReader(bytes)
  const signatures = readList(reader, () => svmSignatureOf(reader.take(signatureBytes)))
  const message = decodeMessage(reader.take(reader.left), loaded)
  if (message.signers.length !== signatures.length)
    throw new LayoutError(`${signatures.length} signatures of ${message.signers.length} signers`)
  return { ...message, signatures }
}
