import { type Address, getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { z } from 'zod'
import type { Bank } from '#src/devnet/svm/node/bank.ts'
import type { Block } from '#src/devnet/svm/node/blockList.ts'
import {
  type DecodedTransaction,
  decodeTransaction,
  maxTransactionBytes,
} from '#src/devnet/svm/node/decodedTransaction.ts'
import { invalidParams, RpcError } from './rpcError.ts'

/** Answers a call with its parameters. */
export type Method = (params: unknown) => unknown

/** A method with parameters of this form. Each other option is refused: nothing is accepted and ignored. */
export const method =
  <Schema extends z.ZodType>(
    schema: Schema,
    answer: (params: z.output<Schema>) => unknown,
  ): Method =>
  (params) => {
    const parsed = schema.safeParse(params ?? [])
    if (parsed.success) return answer(parsed.data)
    const [issue] = parsed.error.issues
    throw invalidParams(`Invalid params: ${issue?.path.join('.')}: ${issue?.message}`)
  }

const base58Bytes = (bytes: number) =>
  z
    .string()
    .max(128)
    .refine((text) => {
      try {
        return getBase58Encoder().encode(text).length === bytes
      } catch {
        return false
      }
    }, `not ${bytes} bytes in base58`)

export const address = base58Bytes(32).transform((text) => text as Address)
export const signature = base58Bytes(64)
export const commitment = z.enum(['processed', 'confirmed', 'finalized'])
export const whole = z.number().int().nonnegative()

/** Which state a call reads. */
export const reading = {
  commitment: commitment.nullish(),
  minContextSlot: whole.nullish(),
}

export type Reading = Readonly<{
  commitment?: z.output<typeof reading.commitment>
  minContextSlot?: number | null | undefined
}>

/** The options of a call, which may be left out. */
export const options = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape).nullish()

/**
 * The block whose state a call reads.
 * @throws RpcError if it is older than the client asks for.
 */
export function blockFor(bank: Bank, read: Reading | null | undefined): Block {
  const block = bank.blocks.at(read?.commitment ?? 'finalized')
  if (block.slot < (read?.minContextSlot ?? 0))
    throw new RpcError(-32_016, 'Minimum context slot has not been reached', {
      contextSlot: block.slot,
    })
  return block
}

/** Of the transactions of a block: calls about them do not see blocks that are only processed. */
export function confirmedBlockFor(bank: Bank, read: Reading | null | undefined): Block {
  if (read?.commitment === 'processed')
    throw invalidParams('Method does not support commitment below `confirmed`')
  return blockFor(bank, read)
}

export const inContext = ({ slot }: Block, value: unknown) => ({
  context: { apiVersion, slot },
  value,
})

/** The version of the interface that the answers follow. */
export const apiVersion = '3.0.0'

export const wireEncoding = z.enum(['base58', 'base64']).nullish()

/** @throws RpcError if the text is no transaction. */
export function readTransaction(
  text: string,
  encoding: 'base58' | 'base64' | null | undefined,
): DecodedTransaction {
  const type = 'solana_transaction::versioned::VersionedTransaction'
  const wire = readBytes(text, encoding ?? 'base58')
  if (wire.length > maxTransactionBytes)
    throw invalidParams(`decoded ${type} too large: ${wire.length} bytes (max: 1232 bytes)`)
  try {
    return decodeTransaction(wire)
  } catch (error) {
    throw invalidParams(`failed to deserialize ${type}: ${(error as Error).message}`)
  }
}

/** @throws RpcError if the text is not in this encoding. */
export function readBytes(text: string, encoding: 'base58' | 'base64'): Uint8Array {
  if (encoding === 'base64') {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.toString('base64') !== text) throw invalidParams('invalid base64 encoding')
    return new Uint8Array(bytes)
  }
  // Decoding takes time quadratic in the length.
  if (text.length > 1683) throw invalidParams(`base58 encoded text too large: ${text.length}`)
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    throw invalidParams('invalid base58 encoding')
  }
}

export const toBase58 = (bytes: Uint8Array): string => getBase58Decoder().decode(bytes)
export const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
