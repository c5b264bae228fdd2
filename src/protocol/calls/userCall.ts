import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  prepareEncodeFunctionData,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Price, PricedOrigin } from '#src/core/pricing/price.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { isNative } from '#src/core/units/currency.ts'
import { wrappedNativeAbi } from '#src/protocol/contracts/abis.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { TransactionCall } from './transactionCall.ts'

const { functionName: depositNative } = prepareEncodeFunctionData({
  abi: depositoryArtifact.abi,
  functionName: 'depositNative',
})
const { functionName: depositErc20 } = prepareEncodeFunctionData({
  abi: depositoryArtifact.abi,
  functionName: 'depositErc20',
  // Selects one of two overloads.
  args: [zeroAddress, zeroAddress, 0n, zeroHash],
})
const { functionName: transfer } = prepareEncodeFunctionData({
  abi: erc20Abi,
  functionName: 'transfer',
})
const { functionName: withdraw } = prepareEncodeFunctionData({
  abi: wrappedNativeAbi,
  functionName: 'withdraw',
})
const wrappedDeposit = encodeFunctionData({ abi: wrappedNativeAbi, functionName: 'deposit' })

/** A deposit of the input without a swap: a call of the depository, or a transfer to it. */
export function plainDeposit(
  { user, leg, explicitDeposit }: PricedOrigin,
  depository: Address,
  orderId: Hex,
): TransactionCall {
  const { currency, amount } = leg.input
  const isNativeInput = isNative(currency.address)
  if (!explicitDeposit)
    return isNativeInput
      ? { to: depository, data: orderId, value: amount }
      : transferOf(currency.address, { to: depository, amount, id: orderId })
  if (isNativeInput) {
    const data = staticCalldata(depositNative, [user, orderId])
    return { to: depository, data, value: amount }
  }
  const data = staticCalldata(depositErc20, [user, currency.address, amount, orderId])
  return { to: depository, data, value: 0n }
}

/** A transfer of the input to the recipient. A native transfer carries no request id: its recipient could reject calldata. */
export function send({ currencyIn, recipient }: Price, requestId: Hex): TransactionCall {
  const { currency, amount } = currencyIn
  return isNative(currency.address)
    ? { to: recipient, data: '0x', value: amount }
    : transferOf(currency.address, { to: recipient, amount, id: requestId })
}

/** A payment without appended data, like a withdrawal from an exchange. */
export const payment = (
  currency: Address,
  { to, amount }: Readonly<{ to: Address; amount: Amount }>,
): TransactionCall =>
  isNative(currency)
    ? { to, data: '0x', value: amount }
    : {
        to: currency,
        data: staticCalldata(transfer, [to, amount]),
        value: 0n,
      }

export const wrap = (
  { currencyIn }: Price,
  wrappedNative: Address,
  requestId: Hex,
): TransactionCall => ({
  to: wrappedNative,
  data: concatHex([wrappedDeposit, requestId]),
  value: currencyIn.amount,
})

export const unwrap = (
  { currencyIn }: Price,
  wrappedNative: Address,
  requestId: Hex,
): TransactionCall => ({
  to: wrappedNative,
  data: staticCalldata(withdraw, [currencyIn.amount, requestId]),
  value: 0n,
})

/** An ERC-20 transfer with the id appended to its calldata. The contract ignores it; readers of the transaction find it. */
const transferOf = (
  currency: Address,
  payment: Readonly<{ to: Address; amount: Amount; id: Hex }>,
): TransactionCall => ({
  to: currency,
  data: staticCalldata(transfer, [payment.to, payment.amount, payment.id]),
  value: 0n,
})

/**
 * Calldata of a function whose arguments take one word each: a uint256, an address, or 32 bytes. Hand-written for
 * speed, because viem walks the types of the function for each call. The tests compare the two.
 */
export const staticCalldata = (selector: Hex, args: readonly (bigint | Hex)[]): Hex => {
  let data = selector
  for (const arg of args) data += wordOf(arg)
  return data
}

const wordOf = (arg: bigint | Hex): string =>
  (typeof arg === 'bigint' ? arg.toString(16) : arg.slice(2)).padStart(64, '0')
