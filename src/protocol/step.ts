import type { Hex } from 'viem'
import type { EvmGasMarket } from '#src/core/pricing/gas/gas.ts'
import type { Account, Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { ProtocolContracts, TokenDomain } from './contracts/protocolContracts.ts'
import type { Permit } from './permit.ts'
import type { SvmTransactionData } from './svm/transactionData.ts'

/** One action of a wallet. All steps of a quote share a requestId. */
export type Step = Readonly<{
  id: 'approve' | 'deposit' | 'swap' | 'send' | 'authorize1' | 'authorize2'
  /** For people: the request of the wallet. */
  action: string
  /** For people: the purpose of the step. */
  description: string
  kind: 'transaction' | 'signature'
  requestId: Hex
  /** Only on deposit steps: the deposit address that the step pays. Empty: the deposit goes to the depository. */
  depositAddress?: Account | ''
  /** The transactions of the step on an EVM chain. Empty if it is a signature, or on a chain of another kind. */
  items: readonly StepItem[]
  /** Present if the step is a signature. */
  signature?: SignatureItem
  /** Present if the step is a transaction on an svm chain. */
  svmItem?: SvmItem
}>

/** The endpoint with the status of the request. */
export type Check = Readonly<{ endpoint: string; method: 'GET' }>

export const checkOf = ({ requestId }: Pick<Step, 'requestId'>): Check => ({
  endpoint: `/intents/status/v3?requestId=${requestId}`,
  method: 'GET',
})

export type StepItem = Readonly<{
  status: 'incomplete'
  data: TransactionData
  /** Only on the last item of the last step. */
  check?: Check
}>

/** The one item of a signature step. */
export type SignatureItem = Readonly<{
  permit: Permit
  /** Purpose of the signature, in the clients' terms: a deposit (`swap`), or a swap on one chain (`user-swap`). */
  api: 'swap' | 'user-swap'
  /** Maximum cost of its transaction to the solver, in wei. Absent if the solver does not send it. */
  maxCost?: bigint
  /** Only on the last step. */
  check?: Check
}>

/** The one transaction of a step on an svm chain. */
export type SvmItem = Readonly<{
  data: SvmTransactionData
  /** Only on the last step. */
  check?: Check
}>

/** The number of actions of a step: its transactions, or its one signature. */
export const itemCountOf = ({
  items,
  signature,
  svmItem,
}: Pick<Step, 'items' | 'signature' | 'svmItem'>): number =>
  signature === undefined && svmItem === undefined ? items.length : 1

/** A transaction in the form that wallets of EVM chains accept. */
export type TransactionData = Readonly<{
  from: Address
  to: Address
  data: Hex
  /** In wei. */
  value: bigint
  chainId: ChainId
  /** In wei per gas. */
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Whether it can be simulated now, because it depends on no earlier item. */
  isFirst: boolean
  /** Lower bound of the gas limit, also without a simulation. Absent: no bound. */
  leastGas?: bigint
}>

/**
 * Data for the steps of one account, in addition to the price. All values are of the chain on which the account pays.
 */
export type StepContext = Readonly<{
  /** 32 bytes. */
  requestId: Hex
  /** Undefined if the user's own transactions execute the price. */
  orderId: Hex | undefined
  contracts: ProtocolContracts
  /** Set if the price pays a deposit address. */
  depositAddress?: Address
  wrappedNative: Address
  /** Last block timestamp at which a routed step may run, in seconds since 1970: the deadline of the request. */
  deadline: number
  /** Plain ERC-20 transfers above this value are refunded. In millionths of a US dollar. */
  unrecordedLimitUsd: Usd
  gas: Pick<EvmGasMarket, 'baseFeePerGas' | 'priorityFeePerGas'>
  /** Receives the leftovers of an exact-output swap if the order has `enableTrueExactOutput`. */
  solver: Address
  /** Lower bounds of the items' gas limits; undefined if the quote requests none. */
  leastGas?: Readonly<{ approval: bigint; main: bigint }> | undefined
  /** The current allowance of the spender; 0 if no allowance is required. */
  allowance: bigint
  /** Whether the currency only allows allowance changes from or to 0, as USDT does. */
  resetsAllowance: boolean
  /** Present if the order pays by signature. */
  permit?: PermitContext
}>

/** Data for a payment by signature, in addition to the price. */
export type PermitContext = Readonly<{
  /** The only account that can send the signed transaction. */
  relayer: Address
  kind: 'eip3009' | 'permit2'
  /** EIP-712 domain of the currency. Undefined for Permit2 without an allowance by signature. */
  domain: TokenDomain | undefined
  /** Number of EIP-2612 permits that the payer has used. Undefined if Permit2 needs no such permit. */
  allowanceNonce: bigint | undefined
  /** Random nonce for Permit2. */
  permit2Nonce: bigint
  /** Last block timestamp at which a signature is valid, in seconds since 1970. */
  lastSecond: number
}>
