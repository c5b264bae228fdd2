import {
  concatHex,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  prepareEncodeFunctionData,
  toFunctionSelector,
  zeroAddress,
  zeroHash,
} from 'viem'
import { appFeeShares } from '#src/core/pricing/fees/relayFees.ts'
import type { TradeType } from '#src/core/pricing/order.ts'
import type { CurrencyAmount, Leg, Price, PricedOrigin } from '#src/core/pricing/price.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { isNative } from '#src/core/units/currency.ts'
import { wrappedNativeAbi } from '#src/protocol/contracts/abis.ts'
import { depository as depositoryArtifact } from '#src/protocol/contracts/artifacts/depository.ts'
import type { StepContext } from '#src/protocol/step.ts'
import {
  type Conversion,
  conversionCalls,
  depositCall,
  feeCalls,
  leftoverCurrencies,
  paymentCall,
  requireBeforeCall,
  sweepCalls,
} from './routerCalls.ts'
import { routerTransaction, type TransactionCall } from './transactionCall.ts'

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
  const { amount } = leg.input
  const currency = evmAddress(leg.input.currency.address)
  const isNativeInput = isNative(currency)
  if (!explicitDeposit)
    return isNativeInput
      ? { to: depository, data: orderId, value: amount }
      : transferOf(currency, { to: depository, amount, id: orderId })
  if (isNativeInput) {
    const data = staticCalldata(depositNative, [evmAddress(user), orderId])
    return { to: depository, data, value: amount }
  }
  const data = staticCalldata(depositErc20, [evmAddress(user), currency, amount, orderId])
  return { to: depository, data, value: 0n }
}

/**
 * A transfer of the input to the recipient. A native transfer carries no request id: its recipient could reject
 * calldata.
 */
export function send({ currencyIn, recipient }: Price, requestId: Hex): TransactionCall {
  const { currency, amount } = currencyIn
  const to = evmAddress(recipient)
  return isNative(currency.address)
    ? { to, data: '0x', value: amount }
    : transferOf(evmAddress(currency.address), { to, amount, id: requestId })
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

/**
 * An ERC-20 transfer with the id appended to its calldata. The contract ignores it; readers of the transaction find it.
 */
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

/** Maximum number of ids. Limits the look-ups that one transaction can cause. */
const maxIds = 16

/** The calls of src/protocol/calls/plainCall.ts that end with a request id, and the number of words before the id. */
const plainCalls = [
  ['transfer(address,uint256)', 2],
  ['withdraw(uint256)', 1],
  ['deposit()', 0],
] as const

// The lookahead lets matches overlap: a wrong match does not hide a right one.
const endings = plainCalls.map(
  ([signature, words]) =>
    new RegExp(
      `(?=${toFunctionSelector(signature).slice(2)}[0-9a-f]{${64 * words}}([0-9a-f]{64}))`,
      'g',
    ),
)
/** The router's metadata: 32 bytes behind their length, in whole words after a selector. */
const metadata = /(?=0{62}20([0-9a-f]{64}))/g

/**
 * Possible request ids in the calldata of a transaction. Each quoted call except a native send contains its id, and a
 * contract wallet's transaction contains the call at any place. Returns at most 16, in no particular order; most of
 * them are no request ids.
 * @param input in lower case
 */
export function requestIdsIn(input: Hex): readonly Hex[] {
  const ids = new Set<Hex>()
  for (const pattern of [...endings, metadata])
    for (const [, id] of input.matchAll(pattern)) {
      if (ids.size >= maxIds) return [...ids]
      ids.add(`0x${id}`)
    }
  return [...ids]
}

/** The router's calls with the input of one account. */
export type RouterRun = Pick<
  Parameters<typeof routerTransaction>[0],
  'calls' | 'leftoversTo' | 'nftsTo'
>

/** The transaction of `depositRun`. */
export const routedDeposit = (
  origin: PricedOrigin,
  context: StepContext,
  orderId: Hex,
): TransactionCall => transactionOf(origin.leg.input, context, depositRun(origin, context, orderId))

/** Converts the input into the currency of the deposit, if the two differ, and deposits it. */
export function depositRun(
  { user, refundTo, leg, tradeType }: PricedOrigin,
  context: StepContext,
  orderId: Hex,
): RouterRun {
  const { router } = context.contracts
  const leftoversTo = evmAddress(refundTo)
  const deposit = depositCall(router, evmAddress(leg.output.currency.address), {
    depositor: evmAddress(user),
    id: orderId,
    minimum: leg.output.minimumAmount,
    maximum: tradeType === 'EXACT_OUTPUT' ? leg.output.amount : maxUint256,
  })
  const calls = [
    requireBeforeCall(router, context.deadline),
    ...conversionCalls(conversionOf(leg, tradeType, context), leg.input.amount),
    deposit,
    ...sweepCalls(router, leftoverCurrencies(leg.route), leftoversTo),
  ]
  return { calls, leftoversTo, nftsTo: leftoversTo }
}

/** The transaction of `swapRun`. */
export const routedSwap = (price: Price, context: StepContext): TransactionCall =>
  transactionOf(price.currencyIn, context, swapRun(price, context))

/** Pays app fees out of the input, swaps the rest, and pays the recipient. */
export function swapRun(price: Price, context: StepContext): RouterRun {
  const { order, origin, currencyIn, currencyOut, fees } = price
  const { router } = context.contracts
  const shares = appFeeShares(order.appFees, fees.app.amount).map((share) => ({
    ...share,
    recipient: evmAddress(share.recipient),
  }))
  const recipient = evmAddress(order.recipient)
  const leftoversTo = leftoversRecipient(price, context.solver)
  const { wrappedNative, requestId, deadline } = context
  const calls = [
    requireBeforeCall(router, deadline),
    ...feeCalls(router, evmAddress(currencyIn.currency.address), shares),
    ...conversionCalls(
      conversionOf(origin, order.tradeType, context),
      currencyIn.amount - fees.app.amount,
    ),
    // The leftovers leave the router before the recipient and the order's calls get control.
    ...sweepCalls(router, leftoverCurrencies(origin.route), leftoversTo),
    paymentCall(
      { router, wrappedNative, id: requestId },
      {
        currency: evmAddress(currencyOut.currency.address),
        recipient,
        minimum: currencyOut.minimumAmount,
        txs: order.txs,
      },
    ),
  ]
  return { calls, leftoversTo, nftsTo: recipient }
}

const conversionOf = (
  { input, output, route }: Leg,
  tradeType: TradeType,
  { contracts, wrappedNative }: StepContext,
): Conversion => ({
  contracts,
  wrappedNative,
  input: evmAddress(input.currency.address),
  output: evmAddress(output.currency.address),
  route,
  limitsOutput: tradeType !== 'EXACT_INPUT',
})

function leftoversRecipient({ order }: Price, solver: Address): Address {
  if (order.tradeType !== 'EXACT_OUTPUT') return evmAddress(order.refundTo)
  return order.enableTrueExactOutput ? solver : evmAddress(order.recipient)
}

const transactionOf = (
  { currency, amount }: CurrencyAmount,
  { contracts, requestId }: StepContext,
  run: RouterRun,
): TransactionCall =>
  routerTransaction({
    contracts,
    currency: evmAddress(currency.address),
    amount,
    metadata: requestId,
    ...run,
  })
