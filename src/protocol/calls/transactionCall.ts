import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  prepareEncodeFunctionData,
} from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { isNative } from '#src/core/units/currency.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { RouterCall } from './routerCalls.ts'

/** The target, calldata and value (in wei) of a transaction. */
export type TransactionCall = Readonly<{
  to: Address
  data: Hex
  value: bigint
  /** Makes it a type-4 transaction (EIP-7702). Only fills have one. */
  authorizationList?: readonly Omit<Authorization, 'authority'>[]
}>

const multicall = prepareEncodeFunctionData({ abi: routerArtifact.abi, functionName: 'multicall' })
const transferAndMulticall = prepareEncodeFunctionData({
  abi: proxyArtifact.abi,
  functionName: 'transferAndMulticall',
})

type RouterTransaction = Readonly<{
  contracts: Pick<ProtocolContracts, 'router' | 'approvalProxy'>
  /** The currency that the sender pays. */
  currency: Address
  /** The amount that the sender pays, in raw units. */
  amount: bigint
  calls: readonly RouterCall[]
  /** Receives the native currency that the calls leave with the router. */
  leftoversTo: Address
  /** Receives NFTs that arrive at an executor during the transaction. */
  nftsTo: Address
  /** Request id, emitted in `RouterMulticall`. */
  metadata: Hex
}>

/**
 * A transaction in which the router runs `calls`. It calls the router for a native currency, and the approval proxy for
 * an ERC-20, because users approve the proxy and never the router.
 */
export function routerTransaction(args: RouterTransaction): TransactionCall {
  const { contracts, currency, amount } = args
  const { router, approvalProxy } = contracts
  const run = [args.calls, args.leftoversTo, args.nftsTo, args.metadata] as const
  if (isNative(currency)) {
    const data = encodeFunctionData({ ...multicall, args: run })
    return { to: router, data, value: amount }
  }
  const data = encodeFunctionData({
    ...transferAndMulticall,
    args: [[currency], [amount], ...run],
  })
  return { to: approvalProxy, data, value: 0n }
}

/** Calldata of the router's calls in a `routerTransaction`; empty for other calldata. */
export function decodeRouterCalls(data: Hex): readonly Hex[] {
  const run = [multicall, transferAndMulticall].find(({ functionName }) =>
    data.startsWith(functionName),
  )
  if (run === undefined) return []
  const { args } = decodeFunctionData({ abi: run.abi as Abi, data })
  const calls = (args ?? []).at(-4) as readonly Pick<RouterCall, 'callData'>[]
  return calls.map(({ callData }) => callData)
}
