import { type Pubkey, pubkeyBytes, svmNative } from '#src/core/units/svm/pubkey.ts'
import { u64 } from '#src/protocol/svm/bytes.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import {
  type AccountMeta,
  type Instruction,
  reads,
  signs,
  writes,
} from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import {
  configAddress,
  type DepositKey,
  idBytes,
  ledgerAddress,
  recordAddress,
  vaultAddress,
} from './depositoryAddresses.ts'
import { depositoryCall } from './depositoryCall.ts'

/** A payout of a deposit, signed by the allocator. It fails on chain unless the record has this `owed` and `slot`. */
export type PayoutCall = DepositKey &
  Readonly<{
    allocator: Pubkey
    /** The payee of the configuration. */
    payee: Pubkey
    /** Gets the rent of the record when it is closed. */
    rentPayer: Pubkey
    owed: bigint
    /** Of the deposit. */
    slot: bigint
  }>

/** A payout to the depositor. */
export type RefundCall = PayoutCall &
  Readonly<{
    amount: bigint
    /** What the payee gets for its costs. */
    cost: bigint
  }>

const argsOf = ({ id, depositor, sender, nonce }: DepositKey): readonly Uint8Array[] => [
  idBytes(id),
  ...[depositor, sender].map(pubkeyBytes),
  u64(nonce),
]

function payoutKeys(program: Pubkey, payout: PayoutCall): readonly AccountMeta[] {
  const { allocator, currency, payee, rentPayer } = payout
  const vault = vaultAddress(program)
  const keys = [
    signs(reads(allocator)),
    reads(configAddress(program)),
    writes(recordAddress(program, payout)),
    writes(vault),
    writes(payee),
    writes(ledgerAddress(program, currency)),
    writes(rentPayer),
    reads(programIds.system),
  ]
  if (currency === svmNative) return keys
  return [
    ...keys,
    reads(currency),
    writes(associatedTokenAddress(vault, currency)),
    writes(associatedTokenAddress(payee, currency)),
    reads(programIds.token),
  ]
}

/** Where a depositor is paid: SOL at the account itself. */
const paidAt = ({ depositor, currency }: DepositKey): AccountMeta =>
  writes(currency === svmNative ? depositor : associatedTokenAddress(depositor, currency))

/** Pays all that is owed to the payee. */
export const settleCall = (program: Pubkey, payout: PayoutCall): Instruction =>
  depositoryCall(program, 'settle', payoutKeys(program, payout), [
    ...argsOf(payout),
    ...[payout.owed, payout.slot].map(u64),
  ])

/** Pays the depositor `amount`, and the payee `cost`. The record keeps the rest. */
export const refundCall = (program: Pubkey, refund: RefundCall): Instruction =>
  depositoryCall(
    program,
    'refund',
    [...payoutKeys(program, refund), paidAt(refund)],
    [...argsOf(refund), ...[refund.owed, refund.slot, refund.amount, refund.cost].map(u64)],
  )

/** A payout that needs nobody's signature, after the exit time of the record. */
export type ExitCall = DepositKey & Readonly<{ rentPayer: Pubkey }>

/** Pays the depositor all that is owed. */
export function exitCall(program: Pubkey, exit: ExitCall): Instruction {
  const { currency, rentPayer } = exit
  const vault = vaultAddress(program)
  const tokenKeys = [
    reads(currency),
    writes(associatedTokenAddress(vault, currency)),
    reads(programIds.token),
  ]
  const keys = [
    reads(configAddress(program)),
    writes(recordAddress(program, exit)),
    writes(vault),
    writes(ledgerAddress(program, currency)),
    writes(rentPayer),
    reads(programIds.system),
    ...(currency === svmNative ? [] : tokenKeys),
    paidAt(exit),
  ]
  return depositoryCall(program, 'exit', keys, argsOf(exit))
}
