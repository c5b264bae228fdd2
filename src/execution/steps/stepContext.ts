import type { Hex } from 'viem'
import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { GasMarket } from '#src/pricing/gas/gas.ts'
import type { Address } from '#src/units/address.ts'

/** What the steps of one account depend on beside what it pays for; all of the chain that it pays on. */
export type StepContext = Readonly<{
  /** 32 bytes. */
  requestId: Hex
  /** Of the order that the solver fills; undefined where the user swaps alone. */
  orderId: Hex | undefined
  contracts: ProtocolContracts
  wrappedNative: Address
  gas: Pick<GasMarket, 'baseFeePerGas' | 'priorityFeePerGas'>
  /** Gets what an exact output leaves over where the order says so. */
  solver: Address
  /** What the spender of the allowance that is needed may take already; 0 where none is needed. */
  allowance: bigint
  /** Whether the input's allowance can only be changed from or to 0. */
  resetsAllowance: boolean
}>
