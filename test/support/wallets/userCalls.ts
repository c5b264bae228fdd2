import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hash,
  type Hex,
  maxUint256,
  zeroAddress,
} from 'viem'
import type { Address } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import type { ChainContracts } from '#src/devnet/deployment/deployChain.ts'
import { wrappedNativeAbi } from '#src/protocol/contracts/abis.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { router } from '#src/protocol/contracts/artifacts/router.ts'

export type Call = Readonly<{ to: Address; data: Hex; value: bigint }>

const [{ address: user }, { address: other }] = users

/** Calls of a user's wallet: deposits of all kinds, and swaps that the user executes. */
export function createUserCalls({
  contracts,
  usdc,
}: Readonly<{ contracts: ChainContracts; usdc: Address }>) {
  return {
    depositNative: (id: Hash, value = 1_000n): Call => ({
      to: contracts.depository,
      data: encodeFunctionData({
        abi: depository.abi,
        functionName: 'depositNative',
        args: [zeroAddress, id],
      }),
      value,
    }),
    depositErc20: (id: Hash, amount = 1_000n, of = usdc): Call => ({
      to: contracts.depository,
      data: encodeFunctionData({
        abi: depository.abi,
        functionName: 'depositErc20',
        args: [zeroAddress, of, amount, id],
      }),
      value: 0n,
    }),
    plainNative: (id: Hash, value = 1_000n): Call => ({
      to: contracts.depository,
      data: id,
      value,
    }),
    plainErc20: (id: Hex, amount = 1_000n, of = usdc): Call => ({
      to: of,
      data: concatHex([transferTo(contracts.depository, amount), id]),
      value: 0n,
    }),
    approve: (spender: Address, amount = maxUint256, of = usdc): Call => ({
      to: of,
      data: encodeFunctionData({
        abi: erc20Abi,
        functionName: 'approve',
        args: [spender, amount],
      }),
      value: 0n,
    }),
    erc20Send: (id: Hash, amount = 1_000n): Call => ({
      to: usdc,
      data: concatHex([transferTo(other, amount), id]),
      value: 0n,
    }),
    nativeSend: (value: bigint): Call => ({
      to: other,
      data: '0x',
      value,
    }),
    wrap: (id: Hash, value = 1_000n): Call => ({
      to: contracts.wrappedNative,
      data: concatHex([encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' }), id]),
      value,
    }),
    unwrap: (id: Hash, amount = 1_000n): Call => ({
      to: contracts.wrappedNative,
      data: concatHex([
        encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'withdraw', args: [amount] }),
        id,
      ]),
      value: 0n,
    }),
    /** Sends native currency through the router and back to the user. */
    routed: (id: Hex, value = 1_000n): Call => ({
      to: contracts.router,
      data: encodeFunctionData({
        abi: router.abi,
        functionName: 'multicall',
        args: [[], user, user, id],
      }),
      value,
    }),
    routedErc20: (id: Hex, amount = 1_000n, fails = false): Call => ({
      to: contracts.approvalProxy,
      data: encodeFunctionData({
        abi: approvalProxy.abi,
        functionName: 'transferAndMulticall',
        args: [[usdc], [amount], [payBack(fails ? amount + 1n : amount)], user, user, id],
      }),
      value: 0n,
    }),
    /** Deposits into the depository through the router, as a swap quote does. */
    routedDeposit: (requestId: Hash, orderId: Hash, value = 1_000n): Call => ({
      to: contracts.router,
      data: encodeFunctionData({
        abi: router.abi,
        functionName: 'multicall',
        args: [
          [
            {
              target: contracts.router,
              allowFailure: false,
              value: 0n,
              callData: encodeFunctionData({
                abi: router.abi,
                functionName: 'depositNative',
                args: [user, orderId, value, value],
              }),
            },
          ],
          user,
          user,
          requestId,
        ],
      }),
      value,
    }),
  }

  function payBack(amount: bigint) {
    return {
      target: contracts.router,
      allowFailure: false,
      value: 0n,
      callData: encodeFunctionData({
        abi: router.abi,
        functionName: 'pay',
        args: [usdc, user, amount],
      }),
    }
  }
}

const transferTo = (recipient: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] })
