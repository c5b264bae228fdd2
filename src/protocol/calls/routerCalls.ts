import {
  concatHex,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  numberToHex,
  prepareEncodeFunctionData,
} from 'viem'
import { kindOf } from '#src/core/pools/pool.ts'
import type { Tx } from '#src/core/pricing/order.ts'
import {
  type Hop,
  hasWrappedOutput,
  type NativeEnds,
  type Route,
  unwrappedHops,
  wrappedInput,
} from '#src/core/router/route.ts'
import { type Address, evmAddress, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'

/** A call of the router to itself within its multicall. If it fails, the whole transaction reverts. */
export type RouterCall = Readonly<{
  target: Address
  allowFailure: false
  value: 0n
  callData: Hex
}>

// Prepared, because viem otherwise hashes the function signature again on every call.
const { abi } = routerArtifact
const requireBefore = prepareEncodeFunctionData({ abi, functionName: 'requireBefore' })
const swap = prepareEncodeFunctionData({ abi, functionName: 'swap' })
const wrap = prepareEncodeFunctionData({ abi, functionName: 'wrap' })
const unwrap = prepareEncodeFunctionData({ abi, functionName: 'unwrap' })
const pay = prepareEncodeFunctionData({ abi, functionName: 'pay' })
const execute = prepareEncodeFunctionData({ abi, functionName: 'execute' })
const depositNative = prepareEncodeFunctionData({ abi, functionName: 'depositNative' })
const depositErc20 = prepareEncodeFunctionData({ abi, functionName: 'depositErc20' })
const cleanupErc20s = prepareEncodeFunctionData({ abi, functionName: 'cleanupErc20s' })
const cleanupNative = prepareEncodeFunctionData({ abi, functionName: 'cleanupNative' })

/** Reverts the run after `deadline`, a block timestamp in seconds since 1970. */
export const requireBeforeCall = (router: Address, deadline: number): RouterCall =>
  ownCall(router, encodeFunctionData({ ...requireBefore, args: [BigInt(deadline)] }))

/** By default, both ends of the route are wrapped. */
type SwapOptions = Partial<NativeEnds> &
  Readonly<{
    /** Whether each path stops at the route's output, instead of selling all of its input. */
    limitsOutput: boolean
  }>

export const swapCall = (
  router: Address,
  route: Route,
  { limitsOutput, isNativeIn = false, isNativeOut = false }: SwapOptions,
): RouterCall => {
  const paths = route.paths.map(({ amountIn, amountOut, hops }) => ({
    amountIn,
    maxOut: limitsOutput ? amountOut : 0n,
    hops: encodeHops(hops, { isNativeIn, isNativeOut }),
  }))
  return ownCall(router, encodeFunctionData({ ...swap, args: [evmAddress(route.input), paths] }))
}

const zeroForOneFlag = 2
const unwrappedFlag = 32

/**
 * The encoded hops of a path. Each has 44 bytes, for pool, output currency, fee in pips (3 bytes) and flags (1 byte),
 * and a tail that depends on the kind of the pool.
 * @source Swapper.sol, Path.hops
 */
function encodeHops(hops: readonly Hop[], ends: NativeEnds): Hex {
  const unwrapped = unwrappedHops(hops, ends)
  return concatHex(hops.map((hop, at) => encodeHop(hop, unwrapped[at] ? unwrappedFlag : 0)))
}

function encodeHop({ pool, zeroForOne }: Hop, unwrapped: number): Hex {
  const { hopFlags, hopDetails } = kindOf(pool)
  const details = hopDetails?.(pool) ?? { flags: 0, tail: '0x' }
  const flags = hopFlags | details.flags | unwrapped | (zeroForOne ? zeroForOneFlag : 0)
  return concatHex([
    pool.address,
    zeroForOne ? pool.currency1 : pool.currency0,
    numberToHex(pool.fee, { size: 3 }),
    numberToHex(flags, { size: 1 }),
    details.tail,
  ])
}

export const wrapCall = (router: Address, wrappedNative: Address, amount: bigint): RouterCall =>
  ownCall(router, encodeFunctionData({ ...wrap, args: [wrappedNative, amount] }))

/** Unwraps the router's whole balance. */
export const unwrapCall = (router: Address, wrappedNative: Address): RouterCall =>
  ownCall(router, encodeFunctionData({ ...unwrap, args: [wrappedNative] }))

/** Pays out the router's whole balance. Reverts if it is below `minimum`. */
export const payCall = (
  router: Address,
  currency: Address,
  payment: Readonly<{ recipient: Address; minimum: bigint }>,
): RouterCall => {
  const args = [currency, payment.recipient, payment.minimum] as const
  return ownCall(router, encodeFunctionData({ ...pay, args }))
}

/**
 * Makes the order's calls from a new executor, which gets the router's whole balance of `currency`. Reverts if the
 * balance is below `minimum`. The recipient gets the rest of the native currency and of `returned`.
 * @param execution `id`: 32 bytes; each account can use it once
 */
export function executeCall(
  router: Address,
  execution: Readonly<{
    id: Hex
    txs: readonly Tx[]
    currency: Address
    minimum: bigint
    returned: readonly Address[]
    recipient: Address
  }>,
): RouterCall {
  const { id, txs, currency, minimum, returned, recipient } = execution
  const calls = txs.map(({ to, value, data }) => ({
    target: to,
    allowFailure: false,
    value,
    callData: data,
  }))
  const args = [id, calls, currency, minimum, returned, recipient] as const
  return ownCall(router, encodeFunctionData({ ...execute, args }))
}

/** Deposits the router's balance, but at most `maximum`. Reverts if the balance is below `minimum`. */
export const depositCall = (
  router: Address,
  currency: Address,
  deposit: Readonly<{
    depositor: Address
    id: Hex
    minimum: bigint
    maximum: bigint
  }>,
): RouterCall => {
  const { depositor, id, minimum, maximum } = deposit
  const callData = isNative(currency)
    ? encodeFunctionData({ ...depositNative, args: [depositor, id, minimum, maximum] })
    : encodeFunctionData({ ...depositErc20, args: [depositor, currency, id, minimum, maximum] })
  return ownCall(router, callData)
}

/** Pays out app fees. Shares of 0 are left out, because the router reads 0 as its whole balance. */
export function feeCalls(
  router: Address,
  currency: Address,
  shares: readonly Readonly<{ recipient: Address; amount: bigint }>[],
): readonly RouterCall[] {
  const payable = shares.filter(({ amount }) => amount > 0n)
  if (payable.length === 0) return []
  if (isNative(currency))
    return payable.map(({ amount, recipient }) => payNativeCall(router, recipient, amount))
  return [
    cleanupCall(
      router,
      payable.map((share) => ({ ...share, currency })),
    ),
  ]
}

/** Pays exactly `amount` of native currency. `amount` must not be 0. */
export const payNativeCall = (router: Address, recipient: Address, amount: bigint): RouterCall =>
  ownCall(router, encodeFunctionData({ ...cleanupNative, args: [amount, recipient] }))

/** The payment of a `payNativeCall`; undefined for other calls. */
export function decodeNativePayment(
  callData: Hex,
): Readonly<{ amount: bigint; recipient: Address }> | undefined {
  if (!callData.startsWith(cleanupNative.functionName)) return undefined
  const { args } = decodeFunctionData({ abi: cleanupNative.abi, data: callData })
  const [amount, recipient] = args as readonly [bigint, Hex]
  return { amount, recipient: toAddress(recipient) }
}

/** The payments of `feeCalls`, and other exact payments; empty for other calls. An amount of 0 is the whole balance. */
export function decodeFees(
  callData: Hex,
): readonly Readonly<{ currency: Address; recipient: Address; amount: bigint }>[] {
  const native = decodeNativePayment(callData)
  if (native !== undefined) return [{ currency: nativeAddress, ...native }]
  if (!callData.startsWith(cleanupErc20s.functionName)) return []
  const { args } = decodeFunctionData({ abi: cleanupErc20s.abi, data: callData })
  const [currencies, recipients, amounts] = args as readonly [Hex[], Hex[], bigint[]]
  return currencies.map((currency, at) => ({
    currency: toAddress(currency),
    recipient: toAddress(recipients[at] ?? '0x'),
    amount: amounts[at] ?? 0n,
  }))
}

/** Whether calldata contains an `executeCall`. May be true for other calldata with the same four bytes. */
export const mayExecute = (data: Hex): boolean => data.includes(execute.functionName.slice(2))

/** Sends the router's whole balance of these ERC-20 currencies to `recipient`. */
export const sweepCalls = (
  router: Address,
  currencies: readonly Address[],
  recipient: Address,
): readonly RouterCall[] => {
  if (currencies.length === 0) return []
  return [
    cleanupCall(
      router,
      currencies.map((currency) => ({ currency, recipient, amount: 0n })),
    ),
  ]
}

function cleanupCall(
  router: Address,
  payments: readonly Readonly<{ currency: Address; recipient: Address; amount: bigint }>[],
): RouterCall {
  const args = [
    payments.map(({ currency }) => currency),
    payments.map(({ recipient }) => recipient),
    payments.map(({ amount }) => amount),
  ] as const
  return ownCall(router, encodeFunctionData({ ...cleanupErc20s, args }))
}

const ownCall = (router: Address, callData: Hex): RouterCall => ({
  target: router,
  allowFailure: false,
  value: 0n,
  callData,
})

/** A payment out of the router's balance of `currency`. */
export type Payment = Readonly<{
  currency: Address
  recipient: Address
  /** A smaller balance reverts the transaction. */
  minimum: bigint
  /** The order's destination calls. */
  txs: readonly Tx[]
}>

/**
 * The order's destination calls run first and may spend the output. The recipient gets the rest.
 * @param id the order id of a fill, or the request id of a user's own swap. The executor's address depends on it.
 */
export function paymentCall(
  { router, wrappedNative, id }: Readonly<{ router: Address; wrappedNative: Address; id: Hex }>,
  { currency, recipient, minimum, txs }: Payment,
): RouterCall {
  if (txs.length === 0) return payCall(router, currency, { recipient, minimum })
  // The calls may wrap native currency.
  const returned = [...new Set([currency, wrappedNative])].filter((each) => !isNative(each))
  return executeCall(router, { id, txs, currency, minimum, returned, recipient })
}

/** The currency of a `paymentCall`; undefined for other calls. */
export function decodePaidCurrency(callData: Hex): Address | undefined {
  if (![pay, execute].some(({ functionName }) => callData.startsWith(functionName)))
    return undefined
  const called = decodeFunctionData({ abi, data: callData })
  if (called.functionName === 'pay') return toAddress(called.args[0])
  return called.functionName === 'execute' ? toAddress(called.args[2]) : undefined
}

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
