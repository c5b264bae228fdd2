import {
  decodeAbiParameters,
  encodeAbiParameters,
  type Hex,
  numberToHex,
  parseAbiParameters,
} from 'viem'
import type { Tx } from '#src/core/pricing/order.ts'
import { type Account, type Address, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'

/**
 * The agreement between user and solver, in its hashed form: chains by name, addresses as 20 bytes.
 * @source docs/protocol.md §7
 */
export type ProtocolOrder = Readonly<{
  version: 'v1'
  solverChainId: string
  solver: Address
  salt: bigint
  inputs: readonly OrderInput[]
  output: OrderOutput
  /** App fees, paid out of the deposit. */
  fees: readonly OrderFee[]
}>

export type OrderInput = Readonly<{
  payment: Readonly<{ chainId: string; currency: Account; amount: bigint; weight: bigint }>
  refunds: readonly Readonly<{
    chainId: string
    recipient: Account
    currency: Account
    minimumAmount: bigint
    /** Seconds since 1970. */
    deadline: number
    extraData: Hex
  }>[]
}>

export type OrderOutput = Readonly<{
  chainId: string
  payments: readonly Readonly<{
    recipient: Account
    currency: Account
    minimumAmount: bigint
    expectedAmount: bigint
  }>[]
  /** Seconds since 1970. */
  deadline: number
  /** Encoded by `encodeOrderCall`. */
  calls: readonly Hex[]
  extraData: Hex
}>

export type OrderFee = Readonly<{
  recipientChainId: string
  recipient: Account
  currencyChainId: string
  currency: Account
  amount: bigint
}>

/** One tuple, as Solidity encodes a struct with dynamic fields: an offset, then the fields. */
const callParameters = parseAbiParameters('(address to, bytes data, uint256 value)')

/** Encodes a destination call for `OrderOutput.calls`. */
export const encodeOrderCall = ({ to, data, value }: Tx): Hex =>
  encodeAbiParameters(callParameters, [{ to, data, value }])

/** @throws viem's error if `encoded` is not an encoded call. */
export function decodeOrderCall(encoded: Hex): Tx {
  const [{ to, data, value }] = decodeAbiParameters(callParameters, encoded)
  return { to: toAddress(to), data, value: toAmount(value) }
}

/** `Value` with every bigint as a string. */
type Json<Value> = Value extends bigint
  ? string
  : Value extends string | number
    ? Value
    : { [Key in keyof Value]: Json<Value[Key]> }

/** An order in JSON values, for clients. */
export type OrderData = Readonly<
  Json<Omit<ProtocolOrder, 'salt'>> & {
    /** 32 bytes. */
    salt: Hex
  }
>

/** Encodes amounts as decimal strings and the salt as 32 bytes of hex. */
export const toOrderData = (order: ProtocolOrder): OrderData => ({
  version: order.version,
  solverChainId: order.solverChainId,
  solver: order.solver,
  salt: numberToHex(order.salt, { size: 32 }),
  inputs: order.inputs.map(inputData),
  output: outputData(order.output),
  fees: order.fees.map(feeData),
})

const inputData = ({ payment, refunds }: OrderInput): Json<OrderInput> => ({
  payment: { ...payment, amount: `${payment.amount}`, weight: `${payment.weight}` },
  refunds: refunds.map((refund) => ({ ...refund, minimumAmount: `${refund.minimumAmount}` })),
})

const outputData = (output: OrderOutput): Json<OrderOutput> => ({
  ...output,
  payments: output.payments.map((payment) => ({
    ...payment,
    minimumAmount: `${payment.minimumAmount}`,
    expectedAmount: `${payment.expectedAmount}`,
  })),
})

const feeData = (fee: OrderFee): Json<OrderFee> => ({ ...fee, amount: `${fee.amount}` })
