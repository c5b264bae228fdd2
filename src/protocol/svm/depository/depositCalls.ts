import type { Hex } from 'viem'
import { type Pubkey, pubkeyBytes, svmNative } from '#src/core/units/svm/pubkey.ts'
import { i64, u64 } from '#src/protocol/svm/bytes.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { type Instruction, reads, signs, writes } from '#src/protocol/svm/instruction.ts'
import { programIds } from '#src/protocol/svm/programIds.ts'
import {
  configAddress,
  type DepositKey,
  depositAddress,
  fillMarkerAddress,
  idBytes,
  ledgerAddress,
  recordAddress,
  vaultAddress,
} from './depositoryAddresses.ts'
import { depositoryCall } from './depositoryCall.ts'

/** A deposit from the wallet of its sender. */
export type DepositCall = DepositKey &
  Readonly<{
    amount: bigint
    /** Pays the rent of the record, and gets it back. Signs; may be the sender. */
    payer: Pubkey
  }>

/** Pays an order from the sender's wallet or associated token account. Fails on chain if its record exists. */
export function depositCall(program: Pubkey, deposit: DepositCall): Instruction {
  const { id, depositor, currency, sender, nonce, amount, payer } = deposit
  const vault = vaultAddress(program)
  const record = writes(recordAddress(program, deposit))
  const ledger = writes(ledgerAddress(program, currency))
  const paying = signs(writes(payer))
  const args = [u64(amount), idBytes(id), u64(nonce)]
  const first = [reads(configAddress(program)), signs(writes(sender)), reads(depositor)]
  if (currency === svmNative) {
    const keys = [...first, writes(vault), reads(programIds.system), record, ledger, paying]
    return depositoryCall(program, 'deposit_native', keys, args)
  }
  const keys = [
    ...first,
    reads(vault),
    reads(currency),
    writes(associatedTokenAddress(sender, currency)),
    writes(associatedTokenAddress(vault, currency)),
    ...[programIds.token, programIds.associatedToken, programIds.system].map(reads),
    record,
    ledger,
    paying,
  ]
  return depositoryCall(program, 'deposit_token', keys, args)
}

/** A sweep of a deposit address, which makes a deposit of all that it holds in a currency. */
export type SweepCall = Omit<DepositKey, 'sender'> &
  Readonly<{
    /** Anyone. Pays the rent of the record, and gets it back. Signs. */
    sweeper: Pubkey
  }>

/** The depositor gets the rent of the address's token account, if it has one. */
export function sweepCall(program: Pubkey, sweep: SweepCall): Instruction {
  const { id, depositor, currency, nonce, sweeper } = sweep
  const address = depositAddress(program, sweep)
  const vault = vaultAddress(program)
  const record = writes(recordAddress(program, { ...sweep, sender: address }))
  const ledger = writes(ledgerAddress(program, currency))
  const args = [idBytes(id), pubkeyBytes(depositor), u64(nonce)]
  const first = [signs(writes(sweeper)), reads(configAddress(program))]
  if (currency === svmNative) {
    const keys = [
      ...first,
      writes(address),
      writes(vault),
      reads(programIds.system),
      record,
      ledger,
    ]
    return depositoryCall(program, 'sweep_native', keys, args)
  }
  const keys = [
    ...first,
    reads(address),
    writes(associatedTokenAddress(address, currency)),
    reads(vault),
    writes(associatedTokenAddress(vault, currency)),
    reads(currency),
    writes(depositor),
    ...[programIds.token, programIds.system].map(reads),
    record,
    ledger,
  ]
  return depositoryCall(program, 'sweep_token', keys, args)
}

/** A mark that an order is filled. */
export type FillMark = Readonly<{
  solver: Pubkey
  id: Hex
  /** Unix time in seconds, after which it fails. */
  deadline: bigint
}>

/** Belongs into the transaction of the fill: it fails if the solver has filled the order before. */
export const markFilledCall = (program: Pubkey, { solver, id, deadline }: FillMark): Instruction =>
  depositoryCall(
    program,
    'mark_filled',
    [
      signs(writes(solver)),
      writes(fillMarkerAddress(program, { solver, id })),
      reads(programIds.system),
    ],
    [idBytes(id), i64(deadline)],
  )
