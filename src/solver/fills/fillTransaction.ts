import type { Hex } from 'viem'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import { fillCall } from '#src/protocol/calls/fillCall.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { callsOf, type GasCase } from './fillCosts.ts'
import type { FillPlan } from './planFill.ts'

/** A planned fill with its call on an EVM chain. */
export type CallPlan = Extract<FillPlan, { kind: 'fill' }> & Readonly<{ call: TransactionCall }>

type FilledCase = GasCase & Readonly<{ request: Readonly<{ orderId: Hex; recipient: Account }> }>

export type FillSender = Readonly<{
  /** On the destination chain. */
  contracts: ProtocolContracts
  wrappedNative: Address
  solver: Address
  /** The order is marked as filled in the name of this identity. */
  identity: Address
  /** Last block timestamp at which the fill may run, in seconds since 1970. */
  deadline: bigint
}>

/** The call of a planned fill. */
export function fillTransaction(
  plan: Extract<FillPlan, { kind: 'fill' }>,
  gasCase: FilledCase,
  { contracts, wrappedNative, ...sender }: FillSender,
): TransactionCall {
  const { leg, limitsOutput, minOutput, topup } = plan
  const { orderId, recipient } = gasCase.request
  const { txs, authorizationList } = callsOf(gasCase)
  const ends = { input: evmAddress(leg.input), output: evmAddress(leg.output) }
  const paying = fillCall({
    ...sender,
    contracts,
    orderId,
    conversion: { ...leg, ...ends, contracts, wrappedNative, limitsOutput },
    netInput: leg.amountIn,
    payment: { recipient: evmAddress(recipient), minimum: minOutput, txs },
    topup,
  })
  return { ...paying, ...(authorizationList !== undefined && { authorizationList }) }
}
