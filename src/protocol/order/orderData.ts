import { type Hex, numberToHex } from 'viem'
import type { OrderFee, OrderInput, OrderOutput, ProtocolOrder } from './protocolOrder.ts'

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
