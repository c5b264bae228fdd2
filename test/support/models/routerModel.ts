import {
  decodeFunctionData,
  erc20Abi,
  getAbiItem,
  type Hex,
  size,
  slice,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { type Pool, swapExactInput, swapExactOutput } from '#src/core/pools/pool.ts'
import { type PoolId, poolIdOf } from '#src/core/pools/poolKind.ts'
import { giveAll } from '#src/core/pools/solidly/swapSolidly.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { wrappedNativeAbi } from '#src/protocol/contracts/abis.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'

/** Stands for the executors of all runs. */
const executor = toAddress(`0x${'ec'.repeat(20)}`)

/** The errors with which calls revert. */
export class RevertError extends Error {}

type Transaction = Readonly<{ from: Address; to: Address; data: Hex; value: bigint }>
type Deposit = Readonly<{ depositor: Address; currency: Address; amount: bigint; id: Hex }>
type RouterCalls = ReturnType<typeof readRun>['calls']

/**
 * A model of a chain for the steps of a quote: balances, pools and our contracts, implemented independently from
 * their description. Accounts can spend everything that they receive.
 */
export function createRouterModel(pools: ReadonlyMap<PoolId, Pool>, contracts: ProtocolContracts) {
  const { router, depository, approvalProxy } = contracts
  const states = new Map(pools)
  const held = new Map<string, bigint>()
  const deposits: Deposit[] = []
  const metadata: Hex[] = []
  const ownCalls: { to: Address; value: bigint; data: Hex }[] = []
  const deadlines: bigint[] = []

  const balance = (account: Address, currency: Address) => held.get(`${account} ${currency}`) ?? 0n
  function give(account: Address, currency: Address, amount: bigint): void {
    const sum = balance(account, currency) + amount
    if (sum < 0n) throw new RevertError(`${account} lacks ${-sum} of ${currency}`)
    held.set(`${account} ${currency}`, sum)
  }
  function move(currency: Address, from: Address, to: Address, amount: bigint): void {
    give(from, currency, -amount)
    give(to, currency, amount)
  }

  /** The pool at the address, or the pool of the manager at the address that has the rest of the key. */
  function poolOf(data: Hex, [currency0, currency1]: [Address, Address]): Pool | undefined {
    const address = toAddress(slice(data, 0, 20))
    if (size(data) === 44) return states.get(address)
    const [fee, flags, spacing] = [slice(data, 40, 43), slice(data, 43, 44), slice(data, 44)]
    return [...states.values()].find(
      (pool) =>
        pool.kind === 'uniswapV4' &&
        pool.address === address &&
        (pool.currency0 === currency0 || (pool.hasNative && currency0 === nativeAddress)) &&
        pool.currency1 === currency1 &&
        pool.fee === Number(fee) &&
        pool.tickSpacing === Number(spacing) &&
        pool.hasNative === ((Number(flags) & 16) === 0 ? undefined : true),
    )
  }

  /** Pays in all of the `input` balance, or the exact input for `maxOut` if that is less. */
  function hop(given: Address, atHand: bigint, data: Hex, maxOut: bigint): [Address, bigint] {
    const flags = Number(slice(data, 43, 44))
    const zeroForOne = (flags & 2) !== 0
    const isUnwrapped = (flags & 32) !== 0
    const input = isUnwrapped && zeroForOne ? nativeAddress : given
    const named = toAddress(slice(data, 20, 40))
    const output = isUnwrapped && !zeroForOne ? nativeAddress : named
    const pool = poolOf(data, zeroForOne ? [input, output] : [output, input])
    if (pool === undefined) throw new RevertError('No such pool')
    if (isUnwrapped && !pool.hasNative) throw new RevertError('Not of the native currency')
    const currency0 = isUnwrapped ? nativeAddress : pool.currency0
    const ends = zeroForOne ? [currency0, pool.currency1] : [pool.currency1, currency0]
    if (ends[0] !== input || ends[1] !== output) throw new RevertError('Another direction')
    const way = { constantProduct: 0, concentrated: 1, slipstream: 1, solidly: 4, uniswapV4: 8 }[
      pool.kind
    ]
    if ((flags & 13) !== way) throw new RevertError('Another kind')
    if (Number(slice(data, 40, 43)) !== pool.fee) throw new RevertError('Another fee')
    const limited = maxOut === 0n ? undefined : swapExactOutput(pool, zeroForOne, toAmount(maxOut))
    const suffices = limited !== undefined && limited.amountIn <= atHand
    const swapped = suffices ? limited : swapExactInput(pool, zeroForOne, toAmount(atHand))
    if (swapped === undefined) throw new RevertError('The pool cannot take it')
    const bought = suffices ? maxOut : swapped.amountOut
    const givesAll = pool.kind === 'solidly'
    const next = givesAll
      ? giveAll(pool, zeroForOne, toAmount(atHand), toAmount(bought))
      : swapped.next
    if (next === undefined) throw new RevertError('The pool cannot compute its output')
    states.set(poolIdOf(pool), next)
    give(router, input, -(givesAll ? atHand : swapped.amountIn))
    give(router, output, bought)
    return [output, bought]
  }

  function payAtLeast(currency: Address, minimum: bigint): bigint {
    const amount = balance(router, currency)
    if (amount < minimum) throw new RevertError('TooLittleReceived')
    return amount
  }

  function ownCall(callData: Hex): void {
    const { functionName, args } = decodeFunctionData({ abi: routerArtifact.abi, data: callData })
    switch (functionName) {
      case 'swap':
        for (const { amountIn, maxOut, hops } of args[1]) {
          let at: [Address, bigint] = [toAddress(args[0]), amountIn]
          for (let start = 0; start < size(hops); ) {
            const end = start + ((Number(slice(hops, start + 43, start + 44)) & 8) === 0 ? 44 : 47)
            at = hop(...at, slice(hops, start, end), end === size(hops) ? maxOut : 0n)
            start = end
          }
        }
        return
      case 'requireBefore':
        deadlines.push(args[0])
        return
      case 'wrap':
        give(router, nativeAddress, -args[1])
        give(router, toAddress(args[0]), args[1])
        return
      case 'unwrap': {
        const amount = balance(router, toAddress(args[0]))
        give(router, toAddress(args[0]), -amount)
        give(router, nativeAddress, amount)
        return
      }
      case 'pay': {
        const currency = toAddress(args[0])
        move(currency, router, toAddress(args[1]), payAtLeast(currency, args[2]))
        return
      }
      case 'execute': {
        const [, calls, spent, minimum, , recipient] = args
        const currency = toAddress(spent)
        move(currency, router, executor, payAtLeast(currency, minimum))
        for (const { target, value, callData } of calls) {
          move(nativeAddress, executor, toAddress(target), value)
          ownCalls.push({ to: toAddress(target), value, data: callData })
        }
        for (const each of new Set([currency, nativeAddress]))
          move(each, executor, toAddress(recipient), balance(executor, each))
        return
      }
      case 'depositNative':
      case 'depositErc20': {
        const [depositor] = args
        const currency = functionName === 'depositNative' ? nativeAddress : toAddress(args[1])
        const [id, minimum, most] =
          functionName === 'depositNative'
            ? ([args[1], args[2], args[3]] as const)
            : ([args[2], args[3], args[4]] as const)
        let amount = payAtLeast(currency, minimum)
        if (amount > most) amount = most
        move(currency, router, depository, amount)
        deposits.push({ depositor: toAddress(depositor), currency, amount, id })
        return
      }
      case 'cleanupErc20s':
        for (const [place, currency] of args[0].entries())
          cleanUp(toAddress(currency), toAddress(args[1][place] ?? ''), args[2][place] ?? 0n)
        return
      case 'cleanupNative':
        cleanUp(nativeAddress, toAddress(args[1]), args[0])
        return
      default:
        throw new RevertError(`No multicall calls ${functionName}`)
    }
  }

  const cleanUp = (currency: Address, recipient: Address, amount: bigint): void =>
    move(currency, router, recipient, amount === 0n ? balance(router, currency) : amount)

  function multicall(calls: RouterCalls, refundTo: Address): void {
    for (const { target, callData } of calls) {
      if (toAddress(target) !== router) throw new RevertError('ForeignCall')
      ownCall(callData)
    }
    move(nativeAddress, router, refundTo, balance(router, nativeAddress))
  }

  function callDepository({ from, data, value }: Transaction): void {
    if (size(data) === 32) {
      deposits.push({ depositor: from, currency: nativeAddress, amount: value, id: data })
      return
    }
    const { functionName, args } = decodeFunctionData({ abi: depositoryAbi, data })
    const depositor = toAddress(args[0])
    if (functionName === 'depositNative') {
      deposits.push({ depositor, currency: nativeAddress, amount: value, id: args[1] })
      return
    }
    const [, token, amount, id] = args
    move(toAddress(token), from, depository, amount)
    deposits.push({ depositor, currency: toAddress(token), amount, id })
  }

  function callCurrency({ from, to, data, value }: Transaction): void {
    const { functionName, args } = decodeFunctionData({ abi: currencyAbi, data })
    if (functionName === 'deposit') give(from, to, value)
    else if (functionName === 'withdraw') {
      give(from, to, -args[0])
      give(from, nativeAddress, args[0])
    } else if (functionName === 'transfer') {
      move(to, from, toAddress(args[0]), args[1])
      if (toAddress(args[0]) === depository)
        deposits.push({ depositor: from, currency: to, amount: args[1], id: slice(data, 68, 100) })
    } else if (functionName !== 'approve') throw new RevertError(`Nobody calls ${functionName}`)
  }

  /** @throws RevertError */
  function execute(transaction: Transaction): void {
    const { from, to, data, value } = transaction
    move(nativeAddress, from, to, value)
    if (to === router || to === approvalProxy) {
      const run = readRun(data)
      move(nativeAddress, to, router, value)
      for (const [place, token] of run.tokens.entries())
        move(toAddress(token), from, router, run.amounts[place] ?? 0n)
      metadata.push(run.metadata)
      multicall(run.calls, toAddress(run.refundTo))
    } else if (to === depository) callDepository(transaction)
    else if (data !== '0x') callCurrency(transaction)
  }

  return { give, balance, execute, held, deposits, ownCalls, metadata, deadlines }
}

const multicallAbi = [getAbiItem({ abi: routerArtifact.abi, name: 'multicall' })] as const
const multicallSelector = toFunctionSelector(multicallAbi[0])
const proxyAbi = [getAbiItem({ abi: proxyArtifact.abi, name: 'transferAndMulticall' })] as const
/** The two calls of the depository that steps make. */
export const depositoryAbi = [
  getAbiItem({ abi: depositoryArtifact.abi, name: 'depositNative' }),
  getAbiItem({
    abi: depositoryArtifact.abi,
    name: 'depositErc20',
    args: [zeroAddress, zeroAddress, 0n, zeroHash],
  }),
] as const
const currencyAbi = [...erc20Abi, ...wrappedNativeAbi] as const

/** The arguments of a call to the router or the proxy. */
export function readRun(data: Hex) {
  if (slice(data, 0, 4) === multicallSelector) {
    const { args } = decodeFunctionData({ abi: multicallAbi, data })
    const [calls, refundTo, nftRecipient, metadata] = args
    return { tokens: [], amounts: [], calls, refundTo, nftRecipient, metadata }
  }
  const { args } = decodeFunctionData({ abi: proxyAbi, data })
  const [tokens, amounts, calls, refundTo, nftRecipient, metadata] = args
  return { tokens, amounts, calls, refundTo, nftRecipient, metadata }
}
