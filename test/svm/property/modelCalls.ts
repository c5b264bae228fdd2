import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  type DecodedDepositoryCall,
  decodeDepositoryCall,
} from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import {
  depositCall,
  markFilledCall,
  sweepCall,
} from '#src/protocol/svm/depository/depositCalls.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { exitCall, refundCall, settleCall } from '#src/protocol/svm/depository/payoutCalls.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import {
  closeRecord,
  demand,
  demandAccounts,
  type ModelContext,
  type ModelState,
  moveLamports,
  moveTokens,
  payeeAt,
  payRent,
  recordOf,
  reserve,
  tokenOf,
  useLimit,
} from './depositoryModel.ts'
import { applyOwnerCall } from './modelOwnerCalls.ts'

type Call<Kind extends DecodedDepositoryCall['kind']> = Extract<
  DecodedDepositoryCall,
  { kind: Kind }
>

/**
 * Changes the state as the interface says.
 * @throws ForbiddenError if the program has to refuse the instruction
 */
export function applyInstruction(
  state: ModelState,
  context: ModelContext,
  instruction: Instruction,
): void {
  const { programId, keys, data } = instruction
  const accounts = keys.map(({ pubkey }) => pubkey)
  const call = decodeDepositoryCall(context.program, { programId, accounts, data })
  switch (call?.kind) {
    case undefined:
      applyOwnerCall(state, context, instruction)
      break
    case 'deposit':
      applyDeposit(state, context, call, instruction)
      break
    case 'sweep':
      applySweep(state, context, call, instruction)
      break
    case 'settle':
      applySettlement(state, context, call, instruction)
      break
    case 'refund':
      applyRefund(state, context, call, instruction)
      break
    case 'exit':
      applyExit(state, context, call, instruction)
      break
    case 'markFilled':
      applyMark(state, context, call, instruction)
      break
  }
}

const accountAt = ({ keys }: Instruction, place: number): Pubkey => {
  const meta = keys[place]
  demand(meta !== undefined, `it has an account ${place}`)
  return meta.pubkey
}

const vaultToken = ({ program }: ModelContext, mint: Pubkey): Pubkey =>
  associatedTokenAddress(vaultAddress(program), mint)

function open(
  state: ModelState,
  context: ModelContext,
  deposit: Pick<Call<'deposit'>, 'currency' | 'record' | 'amount' | 'payer'>,
): void {
  const { currency, record, amount, payer } = deposit
  const { slot, seconds, sizes, rentMinimum } = context
  demand(amount > 0n, 'a deposit has an amount')
  demand(!state.records.has(record), 'the record is new')
  reserve(state, currency, amount)
  payRent(state, record, payer, rentMinimum(sizes.record))
  const exitTime = seconds + state.config.current.exitSeconds
  state.records.set(record, { owed: amount, slot, exitTime, rentPayer: payer })
}

function applyDeposit(
  state: ModelState,
  context: ModelContext,
  call: Call<'deposit'>,
  instruction: Instruction,
): void {
  const { currency, sender, amount } = call
  const isToken = currency !== svmNative
  demandAccounts(context, instruction, depositCall(context.program, call), isToken ? [5] : [])
  const vault = vaultAddress(context.program)
  demand(call.depositor !== vault, 'the vault is no depositor')
  if (isToken) {
    const from = accountAt(instruction, 5)
    demand(tokenOf(state, from).owner === sender, 'the sender pays')
    moveTokens(state, { from, to: vaultToken(context, currency), mint: currency, amount })
  } else moveLamports(state, sender, vault, amount)
  open(state, context, call)
}

function applySweep(
  state: ModelState,
  context: ModelContext,
  call: Call<'sweep'>,
  instruction: Instruction,
): void {
  const { currency, sender: address, depositor, record, sweeper: payer } = call
  const isToken = currency !== svmNative
  demandAccounts(context, instruction, sweepCall(context.program, call), isToken ? [3] : [])
  if (!isToken) {
    const amount = state.lamports.get(address) ?? 0n
    moveLamports(state, address, vaultAddress(context.program), amount)
    open(state, context, { currency, record, amount, payer })
    return
  }
  const from = accountAt(instruction, 3)
  const { owner, amount } = tokenOf(state, from)
  demand(owner === address, 'the token account is the one of the address')
  moveTokens(state, { from, to: vaultToken(context, currency), mint: currency, amount })
  moveLamports(state, from, depositor, state.lamports.get(from) ?? 0n)
  state.tokens.delete(from)
  open(state, context, { currency, record, amount, payer })
}

function pay(
  state: ModelState,
  context: ModelContext,
  { currency, amount, to }: Readonly<{ currency: Pubkey; amount: bigint; to: Pubkey }>,
): void {
  if (currency === svmNative) moveLamports(state, vaultAddress(context.program), to, amount)
  else moveTokens(state, { from: vaultToken(context, currency), to, mint: currency, amount })
}

/** The record of a payout that its allocator has signed. */
function signedRecord(
  state: ModelState,
  context: ModelContext,
  call: Call<'settle'> | Call<'refund'>,
) {
  const { allocator } = state.config.current
  demand(call.allocator === allocator && context.signers.has(allocator), 'the allocator signs')
  demand(call.payee === payeeAt(state.config.current, context.seconds), 'the payee is the one')
  const record = recordOf(state, context, call)
  demand(record.owed === call.owed && record.slot === call.slot, 'the deposit is the stated one')
  demand(record.rentPayer === call.rentPayer, 'the rent goes back')
  demand(context.slot > record.slot, 'the slot of the deposit is over')
  return record
}

function payPayee(
  state: ModelState,
  context: ModelContext,
  { currency, payee }: Call<'settle'> | Call<'refund'>,
  { instruction, amount }: Readonly<{ instruction: Instruction; amount: bigint }>,
): void {
  if (amount === 0n) return
  const to = currency === svmNative ? payee : accountAt(instruction, 10)
  if (currency !== svmNative)
    demand(tokenOf(state, to).owner === payee, 'the token account is the one of the payee')
  pay(state, context, { currency, amount, to })
}

function applySettlement(
  state: ModelState,
  context: ModelContext,
  call: Call<'settle'>,
  instruction: Instruction,
): void {
  const { currency } = call
  const free = currency === svmNative ? [] : [10]
  demandAccounts(context, instruction, settleCall(context.program, call), free)
  const { owed: amount, rentPayer } = signedRecord(state, context, call)
  useLimit(state, context, { currency, amount, isAlone: true })
  payPayee(state, context, call, { instruction, amount })
  reserve(state, currency, -amount)
  closeRecord(state, call.record, rentPayer)
}

function applyRefund(
  state: ModelState,
  context: ModelContext,
  call: Call<'refund'>,
  instruction: Instruction,
): void {
  const { currency, amount, cost, depositor } = call
  const isToken = currency !== svmNative
  demandAccounts(context, instruction, refundCall(context.program, call), isToken ? [10] : [])
  const record = signedRecord(state, context, call)
  demand(amount > 0n && amount + cost <= record.owed, 'no more than what is owed')
  if (cost > 0n) useLimit(state, context, { currency, amount: cost, isAlone: false })
  const to = isToken ? associatedTokenAddress(depositor, currency) : depositor
  if (isToken)
    demand(tokenOf(state, to).owner === depositor, 'the token account is the one of the depositor')
  pay(state, context, { currency, amount, to })
  payPayee(state, context, call, { instruction, amount: cost })
  const owed = record.owed - amount - cost
  reserve(state, currency, -amount - cost)
  state.records.set(call.record, { ...record, owed })
  if (owed === 0n) closeRecord(state, call.record, record.rentPayer)
}

function applyExit(
  state: ModelState,
  context: ModelContext,
  call: Call<'exit'>,
  instruction: Instruction,
): void {
  const { currency, depositor } = call
  demandAccounts(context, instruction, exitCall(context.program, call))
  const { owed: amount, exitTime, rentPayer, slot } = recordOf(state, context, call)
  demand(context.seconds >= exitTime && context.slot > slot, 'the exit time has come')
  demand(rentPayer === call.rentPayer, 'the rent goes back')
  const to = currency === svmNative ? depositor : associatedTokenAddress(depositor, currency)
  if (currency !== svmNative)
    demand(tokenOf(state, to).owner === depositor, 'the token account is the one of the depositor')
  pay(state, context, { currency, amount, to })
  reserve(state, currency, -amount)
  closeRecord(state, call.record, rentPayer)
}

function applyMark(
  state: ModelState,
  context: ModelContext,
  call: Call<'markFilled'>,
  instruction: Instruction,
): void {
  demandAccounts(context, instruction, markFilledCall(context.program, call))
  demand(context.seconds <= call.deadline, 'the deadline has not passed')
  demand(!state.markers.has(call.marker), 'the order is not filled')
  payRent(state, call.marker, call.solver, context.rentMinimum(context.sizes.marker))
  state.markers.add(call.marker)
}
