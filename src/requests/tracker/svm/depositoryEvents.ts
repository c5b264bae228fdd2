import type { SvmTransaction } from '#src/chains/svm/svmTransaction.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import { type Pubkey, svmNative } from '#src/core/units/svm/pubkey.ts'
import {
  type DecodedDepositoryCall,
  decodeDepositoryCall,
} from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import { vaultAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import { decodeLamportTransfer } from '#src/protocol/svm/systemProgram.ts'
import { decodeTokenTransfer } from '#src/protocol/svm/tokenProgram.ts'
import type { DepositPayment } from '#src/requests/state/deposit.ts'
import type { ObservedBlock } from '#src/requests/state/requestState.ts'
import { svmDepositId } from '#src/requests/state/svm/svmDepositId.ts'
import type { ObservedDeposit } from '#src/requests/tracker/read/trackedLogs.ts'

/** The depository of a Solana chain. */
export type SvmTracked = Readonly<{ chainId: ChainId; program: Pubkey; genesis: Blockhash }>

/** A payout of the depository. An exit does not say which of the deposits with this record it pays: `depositId` is undefined. */
export type SvmPayout = Readonly<{
  kind: 'settlement' | 'refund'
  record: Pubkey
  depositId: string | undefined
  hash: SvmTransaction['signature']
  block: ObservedBlock
  /** Payments to others than the solver. */
  payments: readonly DepositPayment[]
}>

export type DepositoryEvents = Readonly<{
  deposits: readonly ObservedDeposit[]
  payouts: readonly SvmPayout[]
}>

const noEvents: DepositoryEvents = { deposits: [], payouts: [] }

/** The times of a transaction's block, and of the exit of its deposits. */
export type EventTimes = Readonly<{
  /** Unix time in seconds. */
  seconds: number
  /** From a deposit to its exit. */
  exitSeconds: number
}>

/** A final slot has one block. The answers about its transactions do not name the hash of it: that of the genesis stands for it. */
export const blockAt = ({ genesis }: SvmTracked, slot: bigint, timestamp?: number) => ({
  number: slot,
  hash: genesis,
  ...(timestamp !== undefined && { timestamp }),
})

/**
 * What a transaction did with deposits, also where another program called the depository. Undefined if the amounts of
 * its calls are not what moved, or not in the balance of the vault: the endpoint is wrong.
 */
export function depositoryEvents(
  tracked: SvmTracked,
  transaction: SvmTransaction,
  times: EventTimes,
): DepositoryEvents | undefined {
  if (transaction.error !== undefined) return noEvents
  const calls = callsIn(tracked, transaction)
  if (!calls.every(isPaid) || !isInBalances(tracked, transaction, calls)) return undefined
  const block = blockAt(tracked, transaction.slot, times.seconds)
  return {
    deposits: calls.flatMap((each) => depositOf(tracked, transaction, each, times)),
    payouts: calls.flatMap((each) =>
      payoutOf(tracked, { hash: transaction.signature, block }, each),
    ),
  }
}

type VaultCall = Exclude<DecodedDepositoryCall, { kind: 'markFilled' }>

/** A call of the depository with what moved in it. */
type PaidCall = Readonly<{
  call: VaultCall
  /** 256 times the place of the transaction's instruction, and the place among the calls below it, from 1. */
  index: number
  received: bigint
  paid: bigint
}>

function callsIn({ program }: SvmTracked, { instructions }: SvmTransaction): readonly PaidCall[] {
  let [outer, outerAt] = [-1, 0]
  return instructions.flatMap((instruction, at) => {
    if (instruction.parent === undefined) [outer, outerAt] = [outer + 1, at]
    const call = decodeDepositoryCall(program, instruction)
    if (call === undefined || call.kind === 'markFilled') return []
    const account = vaultAccount(program, call.currency)
    const moved = instructions.flatMap((each) =>
      each.parent === at ? (transferIn(each, call.currency) ?? []) : [],
    )
    const sum = (side: 'from' | 'to') =>
      moved.reduce((total, each) => total + (each[side] === account ? each.amount : 0n), 0n)
    return [{ call, index: 256 * outer + at - outerAt, received: sum('to'), paid: sum('from') }]
  })
}

/** Where the vault holds a currency. */
const vaultAccount = (program: Pubkey, currency: Pubkey): Pubkey => {
  const vault = vaultAddress(program)
  return currency === svmNative ? vault : associatedTokenAddress(vault, currency)
}

function transferIn(instruction: SvmTransaction['instructions'][number], currency: Pubkey) {
  if (currency === svmNative) {
    const transfer = decodeLamportTransfer(instruction)
    return transfer && { ...transfer, amount: transfer.lamports }
  }
  const transfer = decodeTokenTransfer(instruction)
  return transfer && { from: transfer.source, to: transfer.destination, amount: transfer.amount }
}

function isPaid({ call, received, paid }: PaidCall): boolean {
  switch (call.kind) {
    case 'deposit':
      return received === call.amount
    case 'sweep':
      return received > 0n
    case 'settle':
      return paid === call.owed
    case 'refund':
      return paid === call.amount + call.cost
    case 'exit':
      return paid > 0n
  }
}

/** Anyone may pay the vault more: it is owed to nobody. */
function isInBalances(
  { program }: SvmTracked,
  { lamports, tokens }: SvmTransaction,
  calls: readonly PaidCall[],
): boolean {
  return [...Map.groupBy(calls, ({ call }) => call.currency)].every(([currency, group]) => {
    const account = vaultAccount(program, currency)
    const found = currency === svmNative ? lamports.get(account) : tokens.get(account)
    const { before, after } = found ?? { before: 0n, after: 0n }
    const sum = group.reduce((total, { received, paid }) => total + received - paid, 0n)
    return after - before >= sum
  })
}

function depositOf(
  tracked: SvmTracked,
  { signature, slot }: SvmTransaction,
  { call, index, received }: PaidCall,
  { seconds, exitSeconds }: EventTimes,
): readonly ObservedDeposit[] {
  if (call.kind !== 'deposit' && call.kind !== 'sweep') return []
  const { chainId } = tracked
  return [
    {
      depositId: svmDepositId({ ...call, chainId, slot }),
      chainId,
      txHash: signature,
      block: blockAt(tracked, slot),
      logIndex: index,
      timestamp: seconds,
      orderId: call.id,
      depositor: call.depositor,
      currency: call.currency,
      amount: toAmount(received),
      // A record is of one deposit.
      record: { index: 0, exitTime: seconds + exitSeconds },
    },
  ]
}

function payoutOf(
  { chainId }: SvmTracked,
  at: Pick<SvmPayout, 'hash' | 'block'>,
  { call, paid }: PaidCall,
): readonly SvmPayout[] {
  if (call.kind === 'deposit' || call.kind === 'sweep') return []
  const { record, depositor } = call
  const to = (amount: bigint) => [{ recipient: depositor, amount: toAmount(amount) }]
  switch (call.kind) {
    case 'settle':
      return [
        {
          ...at,
          kind: 'settlement',
          record,
          depositId: svmDepositId({ ...call, chainId }),
          payments: [],
        },
      ]
    case 'refund': {
      const depositId = svmDepositId({ ...call, chainId })
      return [{ ...at, kind: 'refund', record, depositId, payments: to(call.amount) }]
    }
    case 'exit':
      return [{ ...at, kind: 'refund', record, depositId: undefined, payments: to(paid) }]
  }
}
