import { encodeAbiParameters, type Hex, padHex, parseAbiParameters } from 'viem'
import type { CurrencyAmount, PricedOrigin } from '#src/core/pricing/price.ts'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { orderIdOf } from './orderId.ts'
import {
  encodeOrderCall,
  type OrderFee,
  type OrderInput,
  type OrderOutput,
  type ProtocolOrder,
} from './protocolOrder.ts'
import { appFeesOf, type QuotedPrice, topupOf } from './quotedPrice.ts'

/** Data of an order in addition to its price. */
export type OrderContext = Readonly<{
  /** 32 random bytes. They give orders with equal contents different ids. */
  salt: bigint
  /** Names of all chains in the price. */
  chainNames: ReadonlyMap<ChainId, string>
  /** The solver's identity, for which the order is marked as filled on chain. */
  solver: Address
  /** Our router on the destination chain; undefined on an svm chain, which runs no calls. */
  destinationRouter: Address | undefined
  /** Seconds since 1970. */
  quotedAt: number
}>

/**
 * Seconds from quote to deadline in which an order may be filled or refunded: one week.
 * @source the orders that the reference service publishes
 */
export const orderSeconds = 7 * 86_400

/** The same for an order with a deposit address. It is longer because people keep such addresses. */
const addressOrderSeconds = 180 * 86_400

/** Seconds from the quote of a price to the deadline of its order. */
export const secondsOf = (price: QuotedPrice): number =>
  price.pricedOrigins.some(({ sweep }) => sweep !== undefined) ? addressOrderSeconds : orderSeconds

/** An order with its id. */
export type Protocol = Readonly<{ orderId: Hex; order: ProtocolOrder }>

export function toProtocol(price: QuotedPrice, context: OrderContext): Protocol {
  const order = createOrder(price, context)
  return { orderId: orderIdOf(order), order }
}

/**
 * The order for a price that the solver executes, with one input for each deposit.
 * @throws Error for a price without deposits.
 */
export function createOrder(price: QuotedPrice, context: OrderContext): ProtocolOrder {
  const deadline = context.quotedAt + secondsOf(price)
  const inputs = price.pricedOrigins.map((origin) => inputOf(origin, context, deadline))
  const [first] = inputs
  if (first === undefined) throw new Error('An order needs at least one deposit')
  return {
    version: 'v1',
    // The chain where the solver is reimbursed. With several deposits, it is the chain of the first one.
    solverChainId: first.payment.chainId,
    solver: context.solver,
    salt: context.salt,
    inputs,
    output: outputOf(price, context, deadline),
    fees: feesOf(price, first.payment),
  }
}

function inputOf(
  { leg, refundTo }: PricedOrigin,
  context: OrderContext,
  deadline: number,
): OrderInput {
  const { currency, amount } = leg.output
  const chainId = nameOf(context, currency.chainId)
  const refund = {
    chainId,
    recipient: refundTo,
    currency: currency.address,
    minimumAmount: 0n,
    deadline,
    extraData: '0x',
  } as const
  return {
    payment: { chainId, currency: currency.address, amount, weight: 1n },
    refunds: [refund],
  }
}

/** App fees are paid on the chain and in the currency of the deposit. */
function feesOf(
  price: QuotedPrice,
  { chainId, currency }: OrderInput['payment'],
): readonly OrderFee[] {
  return appFeesOf(price)
    .filter(({ amount }) => amount > 0n)
    .map(({ recipient, amount }) => ({
      recipientChainId: chainId,
      recipient,
      currencyChainId: chainId,
      currency,
      amount,
    }))
}

const routerAndRecipient = parseAbiParameters('address router, address recipient')

/** An order with calls pays the router, which runs them and sends the remainder to the recipient. */
function outputOf(price: QuotedPrice, context: OrderContext, deadline: number): OrderOutput {
  const { currencyOut, order } = price
  const { destinationRouter } = context
  const { recipient, txs } = order
  const router = txs.length > 0 ? destinationRouter : undefined
  const payment = {
    recipient: router ?? recipient,
    currency: currencyOut.currency.address,
    minimumAmount: currencyOut.minimumAmount,
    expectedAmount: currencyOut.amount,
  }
  const topup = topupOf(price)
  return {
    chainId: nameOf(context, currencyOut.currency.chainId),
    payments: topup === undefined ? [payment] : [payment, paymentOf(topup, recipient)],
    deadline,
    calls: txs.map(encodeOrderCall),
    extraData:
      router === undefined
        ? padHex(destinationRouter ?? '0x', { size: 32 })
        : encodeAbiParameters(routerAndRecipient, [router, evmAddress(recipient)]),
  }
}

const paymentOf = ({ currency, amount, minimumAmount }: CurrencyAmount, recipient: Account) => ({
  recipient,
  currency: currency.address,
  minimumAmount,
  expectedAmount: amount,
})

function nameOf({ chainNames }: OrderContext, chainId: ChainId): string {
  const name = chainNames.get(chainId)
  if (name === undefined) throw new Error(`No name for chain ${chainId} of the order`)
  return name
}
