import { bytesToHex, type Hex } from 'viem'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import { type ByteReader, LayoutError, readLayout } from '#src/protocol/svm/bytes.ts'
import type { CalledInstruction } from '#src/protocol/svm/instruction.ts'
import type { DepositCall, FillMark, SweepCall } from './depositCalls.ts'
import type { DepositKey } from './depositoryAddresses.ts'
import { type DepositoryMethod, discriminators } from './depositoryCall.ts'
import type { ExitCall, PayoutCall, RefundCall } from './payoutCalls.ts'

/** An instruction of the depository program that ran. In a failed transaction it has changed nothing. */
export type DecodedDepositoryCall =
  | (DepositCall & Readonly<{ kind: 'deposit'; record: Pubkey }>)
  /** The amount is all that the address held: see the balances. The sender of the record is the address. */
  | (SweepCall & Readonly<{ kind: 'sweep'; sender: Pubkey; record: Pubkey }>)
  | (PayoutCall & Readonly<{ kind: 'settle'; record: Pubkey }>)
  | (RefundCall & Readonly<{ kind: 'refund'; record: Pubkey }>)
  | (ExitCall & Readonly<{ kind: 'exit'; record: Pubkey }>)
  | (FillMark & Readonly<{ kind: 'markFilled'; marker: Pubkey }>)

/** The account at a place. Throws LayoutError past the end. */
type AccountAt = (place: number) => Pubkey

type Read = (reader: ByteReader, at: AccountAt, count: number) => DecodedDepositoryCall

const readers: Readonly<Partial<Record<DepositoryMethod, Read>>> = {
  deposit_native: (reader, at) =>
    readDeposit(reader, at, { currency: svmNative, record: 5, payer: 7 }),
  deposit_token: (reader, at) =>
    readDeposit(reader, at, { currency: at(4), record: 10, payer: 12 }),
  sweep_native: (reader, at) => readSweep(reader, at, { currency: svmNative, record: 5 }),
  sweep_token: (reader, at) => readSweep(reader, at, { currency: at(6), record: 10 }),
  settle: (reader, at, count) => ({ kind: 'settle', ...readPayout(reader, at, count > 8) }),
  // A refund of SOL ends with the depositor.
  refund: (reader, at, count) => ({
    kind: 'refund',
    ...readPayout(reader, at, count > 9),
    amount: reader.u64(),
    cost: reader.u64(),
  }),
  exit: (reader, at, count) => ({
    kind: 'exit',
    ...readKey(reader, count > 7 ? at(6) : svmNative),
    record: at(1),
    rentPayer: at(4),
  }),
  mark_filled: (reader, at) => ({
    kind: 'markFilled',
    solver: at(0),
    marker: at(1),
    id: readId(reader),
    deadline: reader.i64(),
  }),
}

/** Undefined for other programs, and for instructions that move no deposit. */
export function decodeDepositoryCall(
  program: Pubkey,
  { programId, accounts, data }: CalledInstruction,
): DecodedDepositoryCall | undefined {
  if (programId !== program) return undefined
  return readLayout(data, (reader) => {
    const start = reader.take(8)
    const [method] = discriminators.find(([, bytes]) => isSame(bytes, start)) ?? []
    const at: AccountAt = (place) => {
      const account = accounts[place]
      if (account === undefined) throw new LayoutError(`no account ${place}`)
      return account
    }
    return method && readers[method]?.(reader, at, accounts.length)
  })
}

const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.every((byte, place) => byte === other[place])

const readId = (reader: ByteReader): Hex => bytesToHex(reader.take(32))

type Places = Readonly<{ currency: Pubkey; record: number; payer: number }>

const readDeposit = (
  reader: ByteReader,
  at: AccountAt,
  { currency, record, payer }: Places,
): DecodedDepositoryCall => ({
  kind: 'deposit',
  currency,
  sender: at(1),
  depositor: at(2),
  record: at(record),
  payer: at(payer),
  amount: reader.u64(),
  id: readId(reader),
  nonce: reader.u64(),
})

const readSweep = (
  reader: ByteReader,
  at: AccountAt,
  { currency, record }: Omit<Places, 'payer'>,
): DecodedDepositoryCall => ({
  kind: 'sweep',
  currency,
  sweeper: at(0),
  sender: at(2),
  record: at(record),
  id: readId(reader),
  depositor: reader.pubkey(),
  nonce: reader.u64(),
})

const readKey = (reader: ByteReader, currency: Pubkey): DepositKey => ({
  currency,
  id: readId(reader),
  depositor: reader.pubkey(),
  sender: reader.pubkey(),
  nonce: reader.u64(),
})

const readPayout = (
  reader: ByteReader,
  at: AccountAt,
  isToken: boolean,
): PayoutCall & Readonly<{ record: Pubkey }> => ({
  ...readKey(reader, isToken ? at(8) : svmNative),
  allocator: at(0),
  record: at(2),
  payee: at(4),
  rentPayer: at(6),
  owed: reader.u64(),
  slot: reader.u64(),
})
