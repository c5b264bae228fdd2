import type { Route } from '#src/core/router/route.ts'
import { hasWrappedOutput, wrappedInput } from '#src/core/router/routeGas.ts'
import type { Address } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import { type RouterCall, swapCall, unwrapCall, wrapCall } from './routerCalls.ts'

/** A conversion of one currency into another on one chain, by a swap, by wrapping or unwrapping, or by both. */
export type Conversion = Readonly<{
  contracts: Pick<ProtocolContracts, 'router'>
  wrappedNative: Address
  input: Address
  output: Address
  /** Undefined if nothing is swapped. */
  route: Route | undefined
  /** Whether the swap stops at the route's output, instead of selling all of the input. */
  limitsOutput: boolean
}>

/** The calls that convert `amount` of the input. The output stays in the router. */
export function conversionCalls(conversion: Conversion, amount: bigint): readonly RouterCall[] {
  const { input, output, route, limitsOutput, wrappedNative } = conversion
  const { router } = conversion.contracts
  const isNativeIn = isNative(input) && !isNative(output)
  const isNativeOut = isNative(output) && !isNative(input)
  const wrapped = route === undefined ? amount : wrappedInput(route)
  const unwraps = isNativeOut && (route === undefined || hasWrappedOutput(route))
  return [
    ...(isNativeIn && wrapped > 0n ? [wrapCall(router, wrappedNative, wrapped)] : []),
    ...(route === undefined
      ? []
      : [swapCall(router, route, { isNativeIn, isNativeOut, limitsOutput })]),
    ...(unwraps ? [unwrapCall(router, wrappedNative)] : []),
  ]
}

/** The ERC-20 currencies that an output limit, or a pool without enough liquidity, may leave in the router. */
export function leftoverCurrencies(route: Route | undefined): readonly Address[] {
  if (route === undefined) return []
  const inputs = route.paths.flatMap(({ hops }) =>
    hops.map(({ pool, zeroForOne }) => (zeroForOne ? pool.currency0 : pool.currency1)),
  )
  return [...new Set(inputs)].filter((currency) => currency !== route.output)
}
