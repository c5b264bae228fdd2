import { createHash } from 'node:crypto'
import {
  type Address,
  type Blockhash,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getBase58Decoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Transaction,
} from '@solana/kit'

type Message = Extract<CompiledTransactionMessage, { version: 'legacy' | 0 }> &
  CompiledTransactionMessageWithLifetime

/** A transaction as a client has sent it, with what the node reads from it. */
export type DecodedTransaction = Readonly<{
  wire: Uint8Array
  transaction: Transaction
  /** Base58, in the sequence of the signers. The first one names the transaction. */
  signatures: readonly string[]
  signature: string
  message: DecodedMessage
}>

export type DecodedMessage = Readonly<{
  compiled: Message
  /** SHA-256 of the message, in hex. A message that is signed again does not count twice. */
  hash: string
  /** The block hash, or the value of a durable nonce. */
  lifetime: Blockhash
}>

/** An account of a transaction. */
export type Role = Readonly<{ isSigner: boolean; isWritable: boolean }>

/** Bytes of a transaction that fits into a packet. */
export const maxTransactionBytes = 1232

/** @throws Error if the bytes are no legacy or version 0 transaction. */
export function decodeTransaction(wire: Uint8Array): DecodedTransaction {
  const transaction = getTransactionDecoder().decode(wire)
  const again = getTransactionEncoder().encode(transaction)
  if (Buffer.compare(Buffer.from(again), wire) !== 0) throw new Error('there are trailing bytes')
  const signatures = Object.values(transaction.signatures).map((signature) =>
    getBase58Decoder().decode(signature ?? new Uint8Array(64)),
  )
  const [signature] = signatures
  if (signature === undefined) throw new Error('it has no signer')
  const message = decodeMessage(Uint8Array.from(transaction.messageBytes))
  return { wire, transaction, signatures, signature, message }
}

/** @throws Error if the bytes are no legacy or version 0 message. */
export function decodeMessage(bytes: Uint8Array): DecodedMessage {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes)
  if (compiled.version !== 'legacy' && compiled.version !== 0)
    throw new Error(`version ${compiled.version} is not supported`)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return { compiled, hash, lifetime: compiled.lifetimeToken as Blockhash }
}

/** The accounts that the message itself names. */
export function staticRoles({ header, staticAccounts }: Message): readonly Role[] {
  const { numSignerAccounts, numReadonlySignerAccounts, numReadonlyNonSignerAccounts } = header
  return staticAccounts.map((_, index) => {
    const isSigner = index < numSignerAccounts
    const end = isSigner
      ? numSignerAccounts - numReadonlySignerAccounts
      : staticAccounts.length - numReadonlyNonSignerAccounts
    return { isSigner, isWritable: index < end }
  })
}

/** The program of an instruction. Undefined if the message does not hold it. */
export const programOf = (message: Message, programAddressIndex: number): Address | undefined =>
  message.staticAccounts[programAddressIndex]
