import { decodeFunctionData, type Hex } from 'viem'
import { toAddress } from '#src/core/units/address.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { TransactionData } from '#src/protocol/step.ts'
import { readRun } from './routerModel.ts'

/** Describes each call of a transaction in one line. A multicall of the router is described by its own calls. */
export function describeTransaction(
  { to, data, value }: Pick<TransactionData, 'to' | 'data' | 'value'>,
  { router, approvalProxy }: ProtocolContracts,
): readonly string[] {
  if (to !== router && to !== approvalProxy) return [describeCall(to, data, value)]
  const { calls, tokens, amounts, refundTo, nftRecipient, metadata } = readRun(data)
  return [
    describeCall(to, json({ tokens, amounts, refundTo, nftRecipient, metadata }), value),
    ...calls.map(({ target, callData, value }) =>
      toAddress(target) === router
        ? describeOwnCall(callData)
        : describeCall(target, callData, value),
    ),
  ]
}

const describeCall = (to: string, data: string, value: bigint): string =>
  `  ${to.toLowerCase()}${value > 0n ? ` {value: ${value}}` : ''} ${data}`

function describeOwnCall(callData: Hex): string {
  const { functionName, args } = decodeFunctionData({ abi: routerArtifact.abi, data: callData })
  return `    ${functionName} ${json(args)}`
}

const json = (value: unknown): string =>
  JSON.stringify(value, (_, part) => (typeof part === 'bigint' ? `${part}` : part)).toLowerCase()
