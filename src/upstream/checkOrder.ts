import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { type Account, evmAddress, nativeAddress } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Bps, shareDown, wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'
import { orderIdOf } from '#src/protocol/order/orderId.ts'
import { encodeOrderCall, type ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import { address, amount, hex } from './answerSchemas.ts'
import type { Asked } from './asked.ts'
import { refuseAnswer } from './upstreamClient.ts'

/** The terms that an order must meet. */
type OrderTerms = Readonly<{
  asked: Asked
  /** Names of the chains in orders. */
  names: Readonly<{ origin: string; destination: string }>
  /** The service's contracts on the destination chain. An order with calls pays one of them. */
  destinationContracts: ReadonlySet<string>
  /** The output that the details promise. */
  promised: CurrencyAmount
}>

const chainName = z.string().max(64)
const seconds = z.int().min(0).max(0xffff_ffff)
const list = <Item extends z.ZodType>(item: Item) => z.array(item).max(32)

const orderData: z.ZodType<ProtocolOrder> = z.object({
  version: z.literal('v1'),
  solverChainId: chainName,
  solver: address,
  salt: z
    .string()
    .regex(/^0x[0-9a-fA-F]{1,64}$/)
    .transform(BigInt),
  inputs: list(
    z.object({
      payment: z.object({ chainId: chainName, currency: address, amount, weight: amount }),
      refunds: list(
        z.object({
          chainId: chainName,
          recipient: address,
          currency: address,
          minimumAmount: amount,
          deadline: seconds,
          extraData: hex,
        }),
      ),
    }),
  ),
  output: z.object({
    chainId: chainName,
    payments: list(
      z.object({
        recipient: address,
        currency: address,
        minimumAmount: amount,
        expectedAmount: amount,
      }),
    ),
    deadline: seconds,
    calls: list(hex),
    extraData: hex,
  }),
  fees: list(
    z.object({
      recipientChainId: chainName,
      recipient: address,
      currencyChainId: chainName,
      currency: address,
      amount,
    }),
  ),
})

/**
 * Checks the order of a deposit. Its hash must be the order id of the deposit. A solver that follows the order then
 * pays our recipient the promised minimum, or refunds our `refundTo`.
 * @throws UpstreamAnswerError
 */
export function checkOrder(
  given: Readonly<{ orderId: string; orderData: unknown }>,
  terms: OrderTerms,
): ProtocolOrder {
  const parsed = orderData.safeParse(given.orderData)
  if (!parsed.success) return refuseAnswer('the order has an unknown form')
  const order = parsed.data
  if (orderIdOf(order) !== given.orderId)
    refuseAnswer('the order does not have the id of its deposit')
  checkInput(order, terms)
  checkOutput(order, terms)
  const payees: readonly Account[] = (terms.asked.appFees ?? []).map(({ recipient }) => recipient)
  if (order.fees.some(({ recipient }) => !payees.includes(recipient)))
    refuseAnswer('the order pays a fee that nobody asked for')
  return order
}

function checkInput({ inputs }: ProtocolOrder, { asked, names }: OrderTerms): void {
  const [input] = inputs
  if (input === undefined || inputs.length !== 1)
    refuseAnswer('the order does not have exactly one deposit')
  if (input.payment.chainId !== names.origin)
    refuseAnswer('the order’s deposit is on another chain')
  const isOurs = input.refunds.every(
    ({ recipient, chainId }) => recipient === asked.refundTo && chainId === names.origin,
  )
  if (input.refunds.length === 0 || !isOurs) refuseAnswer('the order refunds another account')
}

const routerAndRecipient = parseAbiParameters('address router, address recipient')

function checkOutput({ output }: ProtocolOrder, terms: OrderTerms): void {
  const { asked, names, promised, destinationContracts } = terms
  const [payment, ...topups] = output.payments
  if (payment === undefined || output.chainId !== names.destination)
    refuseAnswer('the order pays on another chain')
  if (payment.currency !== asked.destinationCurrency)
    refuseAnswer('the order pays another currency')
  if (payment.minimumAmount < promised.minimumAmount)
    refuseAnswer('the order promises less than the details')
  const calls = (asked.txs ?? []).map(encodeOrderCall)
  if (output.calls.join() !== calls.join()) refuseAnswer('the order makes other calls')
  if (calls.length === 0) {
    if (payment.recipient !== asked.recipient) refuseAnswer('the order pays another recipient')
  } else {
    const router = evmAddress(payment.recipient)
    const paid = encodeAbiParameters(routerAndRecipient, [router, evmAddress(asked.recipient)])
    if (!destinationContracts.has(router) || output.extraData !== paid)
      refuseAnswer('the order pays another recipient')
  }
  const isTopup = topups.every(
    ({ recipient, currency }) => recipient === asked.recipient && currency === nativeAddress,
  )
  if (!isTopup || topups.length > (asked.topupGas === true ? 1 : 0))
    refuseAnswer('the order pays another recipient')
}

type Ends = Readonly<{ currencyIn: CurrencyAmount; currencyOut: CurrencyAmount }>

/** Millionths of a US dollar. Smaller differences may consist of rounding only. */
const minDifference = 10_000n

/**
 * Refuses amounts that do not match the request: other currencies, another input or output, or a minimum below the
 * slippage tolerance.
 * @throws UpstreamAnswerError
 */
export function checkAmounts({ currencyIn, currencyOut }: Ends, asked: Asked): void {
  checkCurrency(currencyIn.currency, asked.originChainId, asked.originCurrency, 'currencyIn')
  const { destinationChainId, destinationCurrency } = asked
  checkCurrency(currencyOut.currency, destinationChainId, destinationCurrency, 'currencyOut')
  const { amount, minimumAmount } = currencyOut
  if (currencyIn.amount === 0n || amount === 0n) refuseAnswer('an amount is 0')
  if (minimumAmount > amount) refuseAnswer('currencyOut.minimumAmount is above the amount')
  if (asked.tradeType === 'EXACT_INPUT' && currencyIn.amount !== asked.amount)
    refuseAnswer('currencyIn.amount is not the exact input')
  if (asked.tradeType !== 'EXACT_INPUT' && amount !== asked.amount)
    refuseAnswer('currencyOut.amount is not the requested output')
  if (asked.tradeType === 'EXACT_OUTPUT' && minimumAmount !== amount)
    refuseAnswer('currencyOut.minimumAmount is not the exact output')
  if (minimumAmount < minimumWith(amount, asked.slippageTolerance))
    refuseAnswer('currencyOut.minimumAmount is below the slippage tolerance')
}

/** Largest tolerance that a service may choose if the caller gives none: 10 %. */
const automaticBps = 1_000n as Bps

/** The lowest minimum that the tolerance allows. The tolerated share is rounded down, so the minimum is rounded up. */
export const minimumWith = (amount: Amount, tolerance: Bps | null | undefined): bigint =>
  amount - shareDown(amount, tolerance ?? automaticBps)

function checkCurrency(found: Currency, chainId: number, address: string, field: string): void {
  if (found.chainId !== chainId || found.address !== address)
    refuseAnswer(`${field} is another currency than requested`)
}

/**
 * Refuses values that differ from our own prices, and an output that is worth more than the input.
 * @param own values by our own prices; `undefined` if we have none
 * @throws UpstreamAnswerError
 */
export function checkValues(
  given: Readonly<{ in: Usd | undefined; out: Usd | undefined }>,
  own: Readonly<{ in: Usd | undefined; out: Usd | undefined }>,
  maxDifference: Bps,
): void {
  for (const side of ['in', 'out'] as const) {
    const [theirs, ours] = [given[side], own[side]]
    if (theirs === undefined || ours === undefined) continue
    if (isApart(theirs, ours, maxDifference))
      refuseAnswer(
        `the value of currency${side === 'in' ? 'In' : 'Out'} differs from our own prices`,
      )
  }
  const [paid, received] = [own.in ?? given.in, own.out ?? given.out]
  if (paid !== undefined && received !== undefined && received > paid)
    if (isApart(received, paid, maxDifference))
      refuseAnswer('the output is worth more than the input')
}

/** Whether `value` differs from `reference` by more than `share` of `reference`. */
function isApart(value: bigint, reference: bigint, share: Bps): boolean {
  const difference = value > reference ? value - reference : reference - value
  return difference > minDifference && difference * wholeBps > share * reference
}
