import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { approvalProxy as proxyArtifact } from '#src/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { conversionCalls } from './conversionCalls.ts'
import type { StepContext } from './stepContext.ts'
import type { TransactionCall } from './transactionCall.ts'

/** A transaction of somebody's. */
export type SentCall = TransactionCall & Readonly<{ from: Address }>

/** Of the destination chain. */
type Context = Pick<StepContext, 'contracts' | 'wrappedNative' | 'solver'>

/**
 * What shows, sent one after the other, whether an order's `txs` work: `funding`, with which the solver
 * makes the output of what it spends and leaves it with the router, and then each of the `txs` from there.
 */
export function txTrial(
  price: Price,
  context: Context,
): Readonly<{ funding: readonly SentCall[]; txs: readonly SentCall[] }> {
  const { router } = context.contracts
  const txs = price.order.txs.map((tx) => ({ from: router, ...tx }))
  return {
    funding: fundingOf(price, context).map((call) => ({ from: context.solver, ...call })),
    txs,
  }
}

function fundingOf(price: Price, context: Context): readonly TransactionCall[] {
  const { router, approvalProxy } = context.contracts
  const { currency, amount } = price.destination.input
  const calls = conversionCalls(price, { ...context, leg: price.destination }, amount)
  // What is left stays with the router, as nobody is named to get it.
  const rest = [calls, zeroAddress, zeroAddress, '0x'] as const
  if (isNative(currency.address)) {
    const multicall = { abi: routerArtifact.abi, functionName: 'multicall', args: rest } as const
    return [{ to: router, data: encodeFunctionData(multicall), value: amount }]
  }
  const approve = { abi: erc20Abi, functionName: 'approve', args: [approvalProxy, amount] } as const
  const args = [[currency.address], [amount], ...rest] as const
  const run = { abi: proxyArtifact.abi, functionName: 'transferAndMulticall', args } as const
  return [
    { to: currency.address, data: encodeFunctionData(approve), value: 0n },
    { to: approvalProxy, data: encodeFunctionData(run), value: 0n },
  ]
}
