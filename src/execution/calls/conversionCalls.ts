import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { Route } from '#src/pricing/router/route.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { type RouterCall, swapCall, unwrapCall, wrapCall } from './routerCalls.ts'

/** How one currency becomes another on one chain, as far as the router needs to know. */
export type Conversion = Readonly<{
  contracts: Pick<ProtocolContracts, 'router'>
  wrappedNative: Address
  input: Address
  output: Address
  /** Absent where nothing is swapped. */
  route: Route | undefined
  /** Takes from the pools just what the route promises, rather than all that the input gives. */
  limitsOutput: boolean
}>

/** With which the router makes the output of `amount` of the input, and keeps it. */
export function conversionCalls(
  { contracts: { router }, wrappedNative, input, output, route, limitsOutput }: Conversion,
  amount: bigint,
): readonly RouterCall[] {
  const isNativeIn = isNative(input)
  const isNativeOut = isNative(output)
  return [
    ...(isNativeIn && !isNativeOut ? [wrapCall(wrappedNative, amount)] : []),
    ...(route === undefined ? [] : [swapCall(router, route, { limitsOutput })]),
    ...(isNativeOut && !isNativeIn ? [unwrapCall(router, wrappedNative)] : []),
  ]
}

/** The ERC-20 currencies that a limit on output, or a pool that runs dry, may leave with the router. */
export function leftoverCurrencies(route: Route | undefined): readonly Address[] {
  if (route === undefined) return []
  const between = route.paths.flatMap(({ hops }) =>
    hops.map(({ pool, zeroForOne }) => (zeroForOne ? pool.currency0 : pool.currency1)),
  )
  return [...new Set(between)].filter((currency) => currency !== route.output)
}
