import { encodeAbiParameters, padHex, parseAbiParameters } from 'viem'
import type { CurrencyAmount, Funding } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { encodeOrderCall } from './orderCalls.ts'
import type { OrderFee, OrderInput, OrderOutput, ProtocolOrder } from './protocolOrder.ts'
import { appFeesOf, type QuotedPrice, topupOf } from './quotedPrice.ts'

/** What an order holds beside the price. */
export type OrderContext = Readonly<{
  /** 32 random bytes, which tell orders apart that are alike in all else. */
  salt: bigint
  /** Of all chains of the price. */
  chainNames: ReadonlyMap<ChainId, string>
  solver: Address
  /** Ours on the destination chain. */
  destinationRouter: Address
  /** Seconds since 1970. */
  quotedAt: number
}>

/**
 * How long an order may be filled or refunded: a week.
 * @source the orders that the reference service publishes
 */
export const orderSeconds = 7 * 86_400

/** The order to which a price that the solver executes comes: an input each for all that is deposited. */
export function createOrder(price: QuotedPrice, context: OrderContext): ProtocolOrder {
  const inputs = price.fundings.map((funding) => inputOf(funding, context))
  const [first] = inputs
  if (first === undefined) throw new Error('An order is paid for by one deposit at the least')
  return {
    version: 'v1',
    // The solver settles on the chain of the deposit; of several, one is named.
    solverChainId: first.payment.chainId,
    solver: context.solver,
    salt: context.salt,
    inputs,
    output: outputOf(price, context),
    fees: feesOf(price, first.payment),
  }
}

function inputOf({ leg, refundTo }: Funding, context: OrderContext): OrderInput {
  const { currency, amount } = leg.output
  const chainId = nameOf(context, currency.chainId)
  const refund = {
    chainId,
    recipient: refundTo,
    currency: currency.address,
    minimumAmount: 0n,
    deadline: deadlineOf(context),
    extraData: '0x',
  } as const
  return {
    payment: { chainId, currency: currency.address, amount, weight: 1n },
    refunds: [refund],
  }
}

/** Paid where the deposit is, in its currency. */
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

/** With calls, the router is paid: it runs them and pays the recipient what they leave. */
function outputOf(price: QuotedPrice, context: OrderContext): OrderOutput {
  const { currencyOut, order } = price
  const { destinationRouter: router } = context
  const { recipient, txs } = order
  const hasCalls = txs.length > 0
  const payment = {
    recipient: hasCalls ? router : recipient,
    currency: currencyOut.currency.address,
    minimumAmount: currencyOut.minimumAmount,
    expectedAmount: currencyOut.amount,
  }
  const topup = topupOf(price)
  return {
    chainId: nameOf(context, currencyOut.currency.chainId),
    payments: topup === undefined ? [payment] : [payment, paymentOf(topup, recipient)],
    deadline: deadlineOf(context),
    calls: txs.map(encodeOrderCall),
    extraData: hasCalls
      ? encodeAbiParameters(routerAndRecipient, [router, recipient])
      : padHex(router),
  }
}

const paymentOf = ({ currency, amount }: CurrencyAmount, recipient: Address) => ({
  recipient,
  currency: currency.address,
  minimumAmount: amount,
  expectedAmount: amount,
})

const deadlineOf = ({ quotedAt }: OrderContext): number => quotedAt + orderSeconds

function nameOf({ chainNames }: OrderContext, chainId: ChainId): string {
  const name = chainNames.get(chainId)
  if (name === undefined) throw new Error(`The order's chain ${chainId} has no name`)
  return name
}
