import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { AccountData } from '#src/protocol/svm/accounts.ts'
import { type ByteReader, readLayout } from '#src/protocol/svm/bytes.ts'

/** The program's configuration. */
export type DepositoryConfig = Readonly<{
  owner: Pubkey
  allocator: Pubkey
  payee: Pubkey
  /** The payee from `payeeAt` on, in Unix seconds; 0: none is pending. */
  pendingPayee: Pubkey
  payeeAt: bigint
  /** From a deposit to the time at which its depositor may leave alone. */
  exitSeconds: bigint
}>

/** The payouts of a currency. */
export type DepositoryLedger = Readonly<{
  /** The most that is paid out within an hour. */
  hourly: bigint
  /** What was used of it at `updatedAt`, in Unix seconds. It recovers linearly within an hour. */
  used: bigint
  updatedAt: bigint
  /** The sum that deposits are owed. */
  reserved: bigint
}>

/** What a deposit is owed. */
export type DepositoryRecord = Readonly<{
  owed: bigint
  /** Of the deposit. */
  slot: bigint
  /** Unix time in seconds. */
  exitTime: bigint
  rentPayer: Pubkey
}>

/** Undefined unless the account belongs to the program. */
const decode =
  <State>(read: (reader: ByteReader) => State) =>
  (program: Pubkey, { owner, data }: AccountData): State | undefined =>
    owner === program ? readLayout(data, read) : undefined

export const decodeDepositoryConfig = decode(
  (reader): DepositoryConfig => ({
    owner: reader.pubkey(),
    allocator: reader.pubkey(),
    payee: reader.pubkey(),
    pendingPayee: reader.pubkey(),
    payeeAt: reader.i64(),
    exitSeconds: reader.i64(),
  }),
)

export const decodeDepositoryLedger = decode(
  (reader): DepositoryLedger => ({
    hourly: reader.u64(),
    used: reader.u64(),
    updatedAt: reader.i64(),
    reserved: reader.u64(),
  }),
)

export const decodeDepositoryRecord = decode(
  (reader): DepositoryRecord => ({
    owed: reader.u64(),
    slot: reader.u64(),
    exitTime: reader.i64(),
    rentPayer: reader.pubkey(),
  }),
)
