import type { Leg, Price } from '#src/pricing/price.ts'
import { isNative } from '#src/units/currency.ts'
import { type RouterCall, swapCall, unwrapCall, wrapCall } from './routerCalls.ts'
import type { StepContext } from './stepContext.ts'

/** With which the router makes a leg's output of `amount` of its input, and keeps it. */
export function conversionCalls(
  { order }: Price,
  {
    contracts,
    wrappedNative,
    leg,
  }: Pick<StepContext, 'contracts' | 'wrappedNative'> & { leg: Leg },
  amount: bigint,
): readonly RouterCall[] {
  const { router } = contracts
  const { route } = leg
  const isNativeIn = isNative(leg.input.currency.address)
  const isNativeOut = isNative(leg.output.currency.address)
  const limitsOutput = order.tradeType !== 'EXACT_INPUT'
  return [
    ...(isNativeIn && !isNativeOut ? [wrapCall(wrappedNative, amount)] : []),
    ...(route === undefined ? [] : [swapCall(router, route, { limitsOutput })]),
    ...(isNativeOut && !isNativeIn ? [unwrapCall(router, wrappedNative)] : []),
  ]
}
