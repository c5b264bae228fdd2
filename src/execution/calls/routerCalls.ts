import {
  concatHex,
  encodeFunctionData,
  type Hex,
  numberToHex,
  prepareEncodeFunctionData,
} from 'viem'
import { wrappedNativeAbi } from '#src/contracts/abis.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { Hop, Route } from '#src/pricing/router/route.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'

/** One call of the router's multicall. If it fails, the whole transaction reverts. */
export type RouterCall = Readonly<{
  target: Address
  allowFailure: false
  value: bigint
  callData: Hex
}>

// Prepared, because viem otherwise hashes the function signature again on every call.
const { abi } = routerArtifact
const swap = prepareEncodeFunctionData({ abi, functionName: 'swap' })
const unwrap = prepareEncodeFunctionData({ abi, functionName: 'unwrap' })
const pay = prepareEncodeFunctionData({ abi, functionName: 'pay' })
const requireBalance = prepareEncodeFunctionData({ abi, functionName: 'requireBalance' })
const depositNative = prepareEncodeFunctionData({ abi, functionName: 'depositNative' })
const depositErc20 = prepareEncodeFunctionData({ abi, functionName: 'depositErc20' })
const cleanupErc20s = prepareEncodeFunctionData({ abi, functionName: 'cleanupErc20s' })
const cleanupNative = prepareEncodeFunctionData({ abi, functionName: 'cleanupNative' })
const wrappedDeposit = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })

/** Whether each path stops at the route's output, instead of selling all of its input. */
type Limit = Readonly<{ limitsOutput: boolean }>

export const swapCall = (router: Address, route: Route, { limitsOutput }: Limit): RouterCall => {
  const paths = route.paths.map(({ amountIn, amountOut, hops }) => ({
    amountIn,
    maxOut: limitsOutput ? amountOut : 0n,
    hops: encodeHops(hops),
  }))
  return ownCall(router, encodeFunctionData({ ...swap, args: [route.input, paths] }))
}

const concentratedFlag = 1
const zeroForOneFlag = 2

/**
 * The hops of a path, 44 bytes each: pool, output currency, fee in pips (3 bytes) and flags (1 byte).
 * @source Swapper.sol, Path.hops
 */
const encodeHops = (hops: readonly Hop[]): Hex => concatHex(hops.map(encodeHop))

function encodeHop({ pool, zeroForOne }: Hop): Hex {
  const flags =
    (pool.kind === 'concentrated' ? concentratedFlag : 0) | (zeroForOne ? zeroForOneFlag : 0)
  return concatHex([
    pool.address,
    zeroForOne ? pool.currency1 : pool.currency0,
    numberToHex(pool.fee, { size: 3 }),
    numberToHex(flags, { size: 1 }),
  ])
}

export const wrapCall = (wrappedNative: Address, amount: bigint): RouterCall => ({
  target: wrappedNative,
  allowFailure: false,
  value: amount,
  callData: wrappedDeposit,
})

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

/** Reverts if the router's balance is below `minimum`. */
export const requireBalanceCall = (
  router: Address,
  currency: Address,
  minimum: bigint,
): RouterCall =>
  ownCall(router, encodeFunctionData({ ...requireBalance, args: [currency, minimum] }))

/** Deposits the router's balance, but at most `maximum`. Reverts if that is below `minimum`. */
export const depositCall = (
  router: Address,
  currency: Address,
  deposit: Readonly<{
    depository: Address
    depositor: Address
    id: Hex
    minimum: bigint
    maximum: bigint
  }>,
): RouterCall => {
  const { depository, depositor, id, minimum, maximum } = deposit
  const callData = isNative(currency)
    ? encodeFunctionData({ ...depositNative, args: [depository, depositor, id, minimum, maximum] })
    : encodeFunctionData({
        ...depositErc20,
        args: [depository, depositor, currency, id, minimum, maximum],
      })
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
    return payable.map(({ amount, recipient }) =>
      ownCall(router, encodeFunctionData({ ...cleanupNative, args: [amount, recipient] })),
    )
  return [
    cleanupCall(
      router,
      payable.map((share) => ({ ...share, currency })),
    ),
  ]
}

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
