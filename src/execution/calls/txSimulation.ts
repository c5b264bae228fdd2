import { encodeFunctionData, erc20Abi, zeroAddress } from 'viem'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import { isUserSwap, type QuotedPrice, tradeTypeOf } from '#src/execution/order/quotedPrice.ts'
import type { StepContext } from '#src/execution/steps/stepContext.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { conversionCalls } from './conversionCalls.ts'
import type { TransactionCall } from './transactionCall.ts'

/** A transaction of somebody's. */
export type SentCall = TransactionCall & Readonly<{ from: Address }>

/** Of the destination chain. */
type Context = Pick<StepContext, 'contracts' | 'wrappedNative' | 'solver'>

/**
 * What shows, sent one after the other, whether an order's `txs` work: `funding`, with which whoever swaps
 * into the output makes it of what it spends and leaves it with the router, and then each of the `txs` from there.
 */
export function txTrial(
  price: QuotedPrice,
  context: Context,
): Readonly<{ funding: readonly SentCall[]; txs: readonly SentCall[] }> {
  const { order } = price
  const { router } = context.contracts
  const from = isUserSwap(price) ? order.user : context.solver
  return {
    funding: fundingOf(price, context).map((call) => ({ from, ...call })),
    txs: order.txs.map((tx) => ({ from: router, ...tx })),
  }
}

/** Paid to the router at once: what a spender may take already has no say in it. */
function fundingOf(price: QuotedPrice, context: Context): readonly TransactionCall[] {
  const { destination, fees } = price
  const { contracts, wrappedNative } = context
  const { router } = contracts
  const { currency } = destination.input
  // The user's own swap pays app fees before anything else; those of a fill stay with the solver.
  const amount = destination.input.amount - (isUserSwap(price) ? fees.app.amount : 0n)
  const conversion = {
    contracts,
    wrappedNative,
    input: currency.address,
    output: destination.output.currency.address,
    route: destination.route,
    limitsOutput: tradeTypeOf(price) !== 'EXACT_INPUT',
  }
  const calls = conversionCalls(conversion, amount)
  // What is left stays with the router, as nobody is named to get it.
  const args = [calls, zeroAddress, zeroAddress, '0x'] as const
  const run = { abi: routerArtifact.abi, functionName: 'multicall', args } as const
  const data = encodeFunctionData(run)
  if (isNative(currency.address)) return [{ to: router, data, value: amount }]
  const pay = { abi: erc20Abi, functionName: 'transfer', args: [router, amount] } as const
  return [
    { to: currency.address, data: encodeFunctionData(pay), value: 0n },
    { to: router, data, value: 0n },
  ]
}
