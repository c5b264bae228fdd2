import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { OrderData } from '#src/protocol/order/protocolOrder.ts'
import type { Permit } from '#src/protocol/permit.ts'
import {
  type TypedData,
  toWalletTypedData,
  typedDataOf,
  witnessIn,
} from '#src/protocol/permits/typedData.ts'
import type { Check, Step, StepItem, SvmItem, TransactionData } from '#src/protocol/step.ts'

/** An order in JSON form, with its hash and payment. */
export type QuotedProtocol = Readonly<{
  orderId: Hash
  orderData: OrderData
  /** The payment that the depository must receive. */
  payment: Readonly<{
    /** Name of the chain, which orders use as its id. */
    chainName: string
    depository: Account
    currency: Account
    amount: Amount
  }>
  /** Present if the user pays an address. Together with the order id it has everything that a sweep needs. */
  depositAddress?: Readonly<{
    address: Account
    depositor: Account
    /** `undefined` if the configuration no longer has it. */
    factory: Account | undefined
  }>
}>

export type QuotedStep = Omit<Step, 'items' | 'signature' | 'svmItem'> &
  Readonly<{
    /** Empty if the step is a signature, or a transaction on an svm chain. */
    items: readonly QuotedItem[]
    signature?: SignatureRequest
    svmItem?: QuotedSvmItem
  }>

/** A signature was accepted. `steps` has the transaction if another account than the solver sends it. */
export type PermitAnswer = Readonly<{ message: string; steps?: readonly QuotedStep[] }>

export type QuotedItem = Omit<StepItem, 'data'> &
  Readonly<{
    data: Omit<TransactionData, 'isFirst' | 'leastGas'> & GasLimit
  }>

/** The gas is in compute units. */
export type QuotedSvmItem = Pick<SvmItem, 'check'> &
  GasLimit &
  Readonly<{
    chainId: ChainId
    /** Signs first, and pays the fee. */
    payer: Account
    instructions: readonly Readonly<{
      programId: Account
      keys: readonly Readonly<{ pubkey: Account; isSigner: boolean; isWritable: boolean }>[]
      /** Hexadecimal digits without 0x, as the adapters of wallets take them. */
      data: string
    }>[]
  }>

type GasLimit = Readonly<{
  /**
   * Gas limit: simulated gas plus a margin, at least `leastGas`. `undefined` if the transaction cannot be simulated yet
   * and has no `leastGas`.
   */
  gas: () => Promise<bigint | undefined>
  /** Why there is no gas limit. Absent: it was never simulated here. */
  gasReason?: () => Promise<GasReason>
}>

/**
 * Why a transaction has no gas limit: another one of the quote must come first, it would revert now, or no node tells.
 */
export type GasReason = 'EARLIER_TRANSACTION' | 'WOULD_REVERT' | 'UNKNOWN'

/** The data that a wallet signs for a step, and the endpoint for the signature. */
type SignatureRequest = Readonly<{
  status: 'incomplete'
  sign: Readonly<{ signatureKind: 'eip712' }> & TypedData
  /** The same data in the form of `eth_signTypedData_v4`. */
  typedData: ReturnType<typeof toWalletTypedData>
  /** The body of the request. The signature is the query parameter `signature`. */
  post: Readonly<{
    endpoint: '/execute/permits'
    method: 'POST'
    body: Readonly<{ kind: Permit['kind']; requestId: string; api: string }>
  }>
  /** Fields whose hash is the nonce of an EIP-3009 transfer. */
  witness?: Readonly<Record<string, unknown>>
  check?: Check
}>

/** `undefined` for a step with transactions. */
export function signatureRequestOf({ signature, requestId }: Step): SignatureRequest | undefined {
  if (signature === undefined) return undefined
  const { permit, api, check } = signature
  const data = typedDataOf(permit)
  const witness = witnessIn(permit)
  return {
    status: 'incomplete',
    sign: { signatureKind: 'eip712', ...data },
    typedData: toWalletTypedData(data),
    post: {
      endpoint: '/execute/permits',
      method: 'POST',
      body: { kind: permit.kind, requestId, api },
    },
    ...(witness !== undefined && { witness }),
    ...(check !== undefined && { check }),
  }
}
