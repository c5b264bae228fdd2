import { encodeAbiParameters, padHex, parseAbiParameters } from 'viem'
import type { CurrencyAmount, Price } from '#src/pricing/price.ts'
import { appFeeShares } from '#src/pricing/relay.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { encodeOrderCall } from './orderCalls.ts'
import type { OrderInput, OrderOutput, ProtocolOrder } from './protocolOrder.ts'

/** What an order holds beside the price. */
export type OrderContext = Readonly<{
  /** 32 random bytes, which tell orders apart that are alike in all else. */
  salt: bigint
  /** Of both chains of the price. */
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

/** The order to which a price that the solver executes comes. */
export function createOrder(price: Price, context: OrderContext): ProtocolOrder {
  const chainId = nameOf(context, price.currencyIn.currency.chainId)
  const currency = price.refundCurrency.currency.address
  const shares = appFeeShares(price.order.appFees, price.fees.app.amount)
  return {
    version: 'v1',
    solverChainId: chainId,
    solver: context.solver,
    salt: context.salt,
    inputs: [inputOf(price, context)],
    output: outputOf(price, context),
    fees: shares
      .filter(({ amount }) => amount > 0n)
      .map(({ recipient, amount }) => ({
        recipientChainId: chainId,
        recipient,
        currencyChainId: chainId,
        currency,
        amount,
      })),
  }
}

function inputOf({ refundCurrency, order }: Price, context: OrderContext): OrderInput {
  const { currency, amount } = refundCurrency
  const chainId = nameOf(context, currency.chainId)
  const refund = {
    chainId,
    recipient: order.refundTo,
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

const routerAndRecipient = parseAbiParameters('address router, address recipient')

/** With calls, the router is paid: it runs them and pays the recipient what they leave. */
function outputOf(price: Price, context: OrderContext): OrderOutput {
  const { currencyOut, currencyGasTopup, order } = price
  const { destinationRouter: router } = context
  const { recipient, txs } = order
  const hasCalls = txs.length > 0
  const payment = {
    recipient: hasCalls ? router : recipient,
    currency: currencyOut.currency.address,
    minimumAmount: currencyOut.minimumAmount,
    expectedAmount: currencyOut.amount,
  }
  const topups = currencyGasTopup === undefined ? [] : [topupOf(currencyGasTopup, recipient)]
  return {
    chainId: nameOf(context, currencyOut.currency.chainId),
    payments: [payment, ...topups],
    deadline: deadlineOf(context),
    calls: txs.map(encodeOrderCall),
    extraData: hasCalls
      ? encodeAbiParameters(routerAndRecipient, [router, recipient])
      : padHex(router),
  }
}

const topupOf = ({ currency, amount }: CurrencyAmount, recipient: Address) => ({
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
