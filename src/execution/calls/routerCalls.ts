import { encodeFunctionData, type Hex, prepareEncodeFunctionData } from 'viem'
import { wrappedNativeAbi } from '#src/contracts/abis.ts'
import { router as routerArtifact } from '#src/contracts/artifacts/router.ts'
import type { Route } from '#src/pricing/router/route.ts'
import type { Address } from '#src/units/address.ts'
import { isNative } from '#src/units/currency.ts'
import { encodeHops } from './encodeHops.ts'

/** One call that the router makes; none of ours may fail. */
export type RouterCall = Readonly<{
  target: Address
  allowFailure: false
  value: bigint
  callData: Hex
}>

// Prepared, as viem would else hash a function's signature for its selector at every call.
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

/** Takes from the pools just what the route promises, rather than all that the input gives. */
type Limit = Readonly<{ limitsOutput: boolean }>

export const swapCall = (router: Address, route: Route, { limitsOutput }: Limit): RouterCall => {
  const paths = route.paths.map(({ amountIn, amountOut, hops }) => ({
    amountIn,
    mostOut: limitsOutput ? amountOut : 0n,
    hops: encodeHops(hops),
  }))
  return ownCall(router, encodeFunctionData({ ...swap, args: [route.input, paths] }))
}

export const wrapCall = (wrappedNative: Address, amount: bigint): RouterCall => ({
  target: wrappedNative,
  allowFailure: false,
  value: amount,
  callData: wrappedDeposit,
})

/** Of all that the router holds. */
export const unwrapCall = (router: Address, wrappedNative: Address): RouterCall =>
  ownCall(router, encodeFunctionData({ ...unwrap, args: [wrappedNative] }))

/** Pays out all that the router holds; reverts when it is less than `minimum`. */
export const payCall = (
  router: Address,
  currency: Address,
  payment: Readonly<{ recipient: Address; minimum: bigint }>,
): RouterCall => {
  const args = [currency, payment.recipient, payment.minimum] as const
  return ownCall(router, encodeFunctionData({ ...pay, args }))
}

export const requireBalanceCall = (
  router: Address,
  currency: Address,
  minimum: bigint,
): RouterCall =>
  ownCall(router, encodeFunctionData({ ...requireBalance, args: [currency, minimum] }))

/** Deposits what the router holds, at the most `most`; reverts when that is less than `minimum`. */
export const depositCall = (
  router: Address,
  currency: Address,
  deposit: Readonly<{
    depository: Address
    depositor: Address
    id: Hex
    minimum: bigint
    most: bigint
  }>,
): RouterCall => {
  const { depository, depositor, id, minimum, most } = deposit
  const callData = isNative(currency)
    ? encodeFunctionData({ ...depositNative, args: [depository, depositor, id, minimum, most] })
    : encodeFunctionData({
        ...depositErc20,
        args: [depository, depositor, currency, id, minimum, most],
      })
  return ownCall(router, callData)
}

/** Pays out app fees; the router would take an amount of 0 for all that it holds. */
export function feeCalls(
  router: Address,
  currency: Address,
  shares: readonly Readonly<{ recipient: Address; amount: bigint }>[],
): readonly RouterCall[] {
  const owed = shares.filter(({ amount }) => amount > 0n)
  if (owed.length === 0) return []
  if (isNative(currency))
    return owed.map(({ amount, recipient }) =>
      ownCall(router, encodeFunctionData({ ...cleanupNative, args: [amount, recipient] })),
    )
  return [
    cleanupCall(
      router,
      owed.map((share) => ({ ...share, currency })),
    ),
  ]
}

/** Sends on all that the router still holds of these ERC-20 currencies. */
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
