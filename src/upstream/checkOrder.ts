import { encodeAbiParameters, parseAbiParameters } from 'viem'
import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { orderIdOf } from '#src/protocol/order/orderId.ts'
import { encodeOrderCall, type ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import { address, amount, hex } from './answerSchemas.ts'
import type { Asked } from './asked.ts'
import { refuseAnswer } from './upstreamErrors.ts'

/** The terms that an order must meet. */
export type OrderTerms = Readonly<{
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
  const payees = (terms.asked.appFees ?? []).map(({ recipient }) => recipient)
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
    const paid = encodeAbiParameters(routerAndRecipient, [payment.recipient, asked.recipient])
    if (!destinationContracts.has(payment.recipient) || output.extraData !== paid)
      refuseAnswer('the order pays another recipient')
  }
  const isTopup = topups.every(
    ({ recipient, currency }) => recipient === asked.recipient && currency === nativeAddress,
  )
  if (!isTopup || topups.length > (asked.topupGas === true ? 1 : 0))
    refuseAnswer('the order pays another recipient')
}
