import { createHash } from 'node:crypto'
import { type Blockhash, getAddressDecoder, getBase58Decoder, getBase58Encoder } from '@solana/kit'
import { systemProgram } from './addresses.ts'
import { type DecodedMessage, programOf, staticRoles } from './decodedTransaction.ts'
import type { Account, GetAccount } from './runtime.ts'

// Layout of a nonce account: version (1: current) and state (1: initialized), a u32 each, then the authority, the
// value, and the fee of a signature as u64.
const accountBytes = 80
const authorityAt = 8
const valueAt = 40
const feeAt = 72

const advanceNonceAccount = 4

/**
 * The nonce account whose value is the lifetime of the message, as Agave's `check_nonce_transaction_validity` finds it.
 * Undefined if the message has no durable nonce, another value, or lacks the signature of its authority.
 * `latest` is the block hash that an advanced nonce derives from.
 */
export function usedNonce(
  { compiled, lifetime }: DecodedMessage,
  latest: Blockhash,
  get: GetAccount,
): Account | undefined {
  const [first] = compiled.instructions
  if (first === undefined || programOf(compiled, first.programAddressIndex) !== systemProgram)
    return undefined
  const { accountIndices = [], data } = first
  if (
    data === undefined ||
    data.length < 4 ||
    Buffer.from(data).readUInt32LE() !== advanceNonceAccount
  )
    return undefined
  const roles = staticRoles(compiled)
  const [nonceIndex] = accountIndices
  if (nonceIndex === undefined || !roles[nonceIndex]?.isWritable) return undefined
  const address = compiled.staticAccounts[nonceIndex]
  if (address === undefined || lifetime === nonceValue(latest)) return undefined
  const account = get(address)
  if (account === undefined || account.owner !== systemProgram) return undefined
  if (account.data.length !== accountBytes) return undefined
  const view = Buffer.from(account.data)
  if (view.readUInt32LE(0) !== 1 || view.readUInt32LE(4) !== 1) return undefined
  if (getBase58Decoder().decode(view.subarray(valueAt, feeAt)) !== lifetime) return undefined
  const authority = getAddressDecoder().decode(view, authorityAt)
  const signs = accountIndices.some(
    (index) => roles[index]?.isSigner && compiled.staticAccounts[index] === authority,
  )
  return signs ? account : undefined
}

/** The account after its value was used in the block after the one with the hash `latest`. */
export function advancedNonce(account: Account, latest: Blockhash): Account {
  const data = Buffer.from(account.data)
  Buffer.from(getBase58Encoder().encode(nonceValue(latest))).copy(data, valueAt)
  return { ...account, data: new Uint8Array(data) }
}

const nonceValue = (blockhash: Blockhash): string =>
  getBase58Decoder().decode(
    createHash('sha256')
      .update('DURABLE_NONCE')
      .update(Uint8Array.from(getBase58Encoder().encode(blockhash)))
      .digest(),
  )
