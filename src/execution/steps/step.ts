import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** What a wallet does in turn; all steps of one quote share a requestId. */
export type Step = Readonly<{
  id: 'approve' | 'deposit' | 'swap' | 'send'
  /** For people: what the wallet asks for. */
  action: string
  /** For people: what it is good for. */
  description: string
  kind: 'transaction'
  requestId: `0x${string}`
  /** Of deposits alone: empty, as nothing is paid to a deposit address. */
  depositAddress?: ''
  items: readonly StepItem[]
}>

export type StepItem = Readonly<{
  status: 'incomplete'
  data: TransactionData
  /** Where to ask how the request stands; on the last step's last item alone. */
  check?: Readonly<{ endpoint: string; method: 'GET' }>
}>

/** A transaction as wallets take it. */
export type TransactionData = Readonly<{
  from: Address
  to: Address
  data: `0x${string}`
  /** In wei. */
  value: bigint
  chainId: ChainId
  /** In wei a unit of gas. */
  maxFeePerGas: bigint
  maxPriorityFeePerGas: bigint
  /** Whether it can be simulated at once: no step has to be mined before it. */
  isFirst: boolean
}>
