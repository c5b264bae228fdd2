import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  keccak256,
  parseAbiParameters,
} from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { PaymentProof, RefundProof } from '#src/protocol/order/orderId.ts'
import type { TransactionCall } from './transactionCall.ts'

/**
 * The call by which an account takes an amount that it did not accept. Anybody may pay it to the account itself; only
 * the account may name another recipient. @source Deposits.sol, claim
 */
export const claimCall = (
  depository: Address,
  { currency, account, recipient }: Readonly<Record<'currency' | 'account' | 'recipient', Address>>,
): TransactionCall => ({
  to: depository,
  data: encodeFunctionData({
    abi: depositoryArtifact.abi,
    functionName: 'claim',
    args: [currency, account, recipient],
  }),
  value: 0n,
})

/** The contents of a deposit. Their hash is the id of its record. @source Deposits.sol, Deposit */
export type RecordedDeposit = Readonly<{
  orderId: Hex
  depositor: Address
  currency: Address
  amount: bigint
  /** 0 for the first deposit with these contents. */
  index: bigint
}>

const depositParameters = parseAbiParameters('bytes32, address, address, uint256, uint256')

/** @source Deposits.sol, depositIdOf */
const recordIdOf = ({ orderId, depositor, currency, amount, index }: RecordedDeposit): Hex =>
  keccak256(encodeAbiParameters(depositParameters, [orderId, depositor, currency, amount, index]))

type Expiring = Readonly<{
  /** Last block timestamp at which it may run, in seconds since 1970. */
  expiration: bigint
}>

/** The payout of one filled deposit. The payee gets `owed` minus the fees. @source Depository.sol, Draw */
export type Draw = Readonly<{
  deposit: RecordedDeposit
  owed: bigint
  fees: readonly Readonly<{
    recipient: Address
    amount: bigint
    /** The fee's place and amount in its order. */
    proof: Readonly<{ feeAt: bigint; amount: bigint }>
  }>[]
  /** One proof if there are fees, else none. */
  proof: readonly PaymentProof[]
}>

/** Pays filled deposits of one currency. @source Depository.sol, Settlement */
export type Settlement = Expiring &
  Readonly<{ kind: 'settlement'; currency: Address; payee: Address; draws: readonly Draw[] }>

/** Pays a deposit back. @source Depository.sol, Refund */
type Refund = Expiring &
  Readonly<{
    kind: 'refund'
    deposit: RecordedDeposit
    owed: bigint
    recipient: Address
    amount: bigint
    /** Can claim `cost`. */
    payee: Address
    cost: bigint
    /** Undefined if the recipient is the depositor. */
    proof?: RefundProof
  }>

/** Pays out a plain ERC-20 transfer, which has no record. @source Depository.sol, Unrecorded */
export type Unrecorded = Expiring &
  Readonly<{
    kind: 'unrecorded'
    txHash: Hex
    logIndex: bigint
    currency: Address
    payments: readonly Readonly<{ recipient: Address; amount: bigint }>[]
  }>

/** A payout of a depository, which its allocator signs. */
export type Payout = Settlement | Refund | Unrecorded

/** EIP-712 types. @source Depository.sol */
const types = {
  Settlement: [
    { name: 'currency', type: 'address' },
    { name: 'payee', type: 'address' },
    { name: 'draws', type: 'Draw[]' },
    { name: 'expiration', type: 'uint256' },
  ],
  Draw: [
    { name: 'depositId', type: 'bytes32' },
    { name: 'owed', type: 'uint256' },
    { name: 'fees', type: 'AppFee[]' },
  ],
  AppFee: [
    { name: 'recipient', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
  Refund: [
    { name: 'depositId', type: 'bytes32' },
    { name: 'owed', type: 'uint256' },
    { name: 'recipient', type: 'address' },
    { name: 'amount', type: 'uint256' },
    { name: 'payee', type: 'address' },
    { name: 'cost', type: 'uint256' },
    { name: 'expiration', type: 'uint256' },
  ],
  Unrecorded: [
    { name: 'txHash', type: 'bytes32' },
    { name: 'logIndex', type: 'uint256' },
    { name: 'currency', type: 'address' },
    { name: 'payments', type: 'Payment[]' },
    { name: 'expiration', type: 'uint256' },
  ],
  Payment: [
    { name: 'recipient', type: 'address' },
    { name: 'amount', type: 'uint256' },
  ],
} as const

/** The EIP-712 typed data that the allocator signs for `payout`. */
export function payoutTypedData(
  payout: Payout,
  { chainId, depository }: Readonly<{ chainId: ChainId; depository: Address }>,
) {
  const domain = { name: 'RelayDepository', version: '1', chainId, verifyingContract: depository }
  switch (payout.kind) {
    case 'settlement': {
      const { Settlement, Draw, AppFee } = types
      const draws = payout.draws.map(({ deposit, owed, fees }) => ({
        depositId: recordIdOf(deposit),
        owed,
        fees: fees.map(({ recipient, amount }) => ({ recipient, amount })),
      }))
      const message = { ...payout, draws }
      return { domain, types: { Settlement, Draw, AppFee }, primaryType: 'Settlement', message }
    }
    case 'refund': {
      const message = { ...payout, depositId: recordIdOf(payout.deposit) }
      return { domain, types: { Refund: types.Refund }, primaryType: 'Refund', message }
    }
    case 'unrecorded': {
      const { Unrecorded, Payment } = types
      return {
        domain,
        types: { Unrecorded, Payment },
        primaryType: 'Unrecorded',
        message: payout,
      }
    }
  }
}

const { abi } = depositoryArtifact

/** The call that submits a signed payout to the depository. Anyone may send it. */
export const executePayout = (
  depository: Address,
  payout: Payout,
  signature: Hex,
): TransactionCall => ({
  to: depository,
  data: encodePayout(payout, signature),
  value: 0n,
})

function encodePayout(payout: Payout, signature: Hex): Hex {
  switch (payout.kind) {
    case 'settlement':
      return encodeFunctionData({ abi, functionName: 'settle', args: [payout, signature] })
    case 'refund': {
      const proofs = payout.proof === undefined ? [] : [payout.proof]
      return encodeFunctionData({ abi, functionName: 'refund', args: [payout, proofs, signature] })
    }
    case 'unrecorded':
      return encodeFunctionData({ abi, functionName: 'payUnrecorded', args: [payout, signature] })
  }
}

/** Payments in the calldata of a payout. `id`: that of the deposit's record, or the place of the plain transfer. */
type DecodedPayout = Readonly<{
  id: string
  payments: readonly Readonly<{ recipient: Address; amount: bigint }>[]
}>

/**
 * The payments of `executePayout` that its logs do not show: the app fees of a settlement, and all payments out of a
 * plain transfer. Empty for other calldata.
 */
export function decodePayout(data: Hex): readonly DecodedPayout[] {
  const { functionName, args } = decodeFunctionData({ abi, data })
  switch (functionName) {
    case 'settle':
      return args[0].draws.map(({ deposit, fees }) => ({
        id: recordIdOf({
          ...deposit,
          depositor: toAddress(deposit.depositor),
          currency: toAddress(deposit.currency),
        }),
        payments: fees.map(paymentOf),
      }))
    case 'payUnrecorded': {
      const [{ txHash, logIndex, payments }] = args
      return [{ id: `${txHash}:${logIndex}`, payments: payments.map(paymentOf) }]
    }
    default:
      return []
  }
}

const paymentOf = ({ recipient, amount }: Readonly<{ recipient: Hex; amount: bigint }>) => ({
  recipient: toAddress(recipient),
  amount,
})
