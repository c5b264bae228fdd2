import type { Hash } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { OrderData } from '#src/protocol/order/orderData.ts'
import type { Step, StepItem, TransactionData } from '#src/protocol/steps/step.ts'
import type { SignatureRequest } from './permits/signatureRequest.ts'

/** An order in JSON form, with its hash and payment. */
export type QuotedProtocol = Readonly<{
  orderId: Hash
  orderData: OrderData
  /** The payment that the depository must receive. */
  payment: Readonly<{
    /** Name of the chain, which orders use as its id. */
    chainName: string
    depository: Address
    currency: Address
    amount: Amount
  }>
  /** Present if the user pays an address. Together with the order id it has everything that a sweep needs. */
  depositAddress?: Readonly<{
    address: Address
    depositor: Address
    /** `undefined` if the configuration no longer has it. */
    factory: Address | undefined
  }>
}>

export type QuotedStep = Omit<Step, 'items' | 'signature'> &
  Readonly<{
    /** Empty if the step is a signature. */
    items: readonly QuotedItem[]
    signature?: SignatureRequest
  }>

/** A signature was accepted. `steps` has the transaction if another account than the solver sends it. */
export type PermitAnswer = Readonly<{ message: string; steps?: readonly QuotedStep[] }>

export type QuotedItem = Omit<StepItem, 'data'> &
  Readonly<{
    data: Omit<TransactionData, 'isFirst' | 'leastGas'> &
      Readonly<{
        /**
         * Gas limit: simulated gas plus a margin, at least `leastGas`. `undefined` if the transaction cannot be
         * simulated yet and has no `leastGas`.
         */
        gas: () => Promise<bigint | undefined>
      }>
  }>
