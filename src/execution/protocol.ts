import type { Hex } from 'viem'
import type { Price } from '#src/pricing/price.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'
import { createOrder, type OrderContext } from './createOrder.ts'
import { orderIdOf } from './orderId.ts'
import type { ProtocolOrder } from './protocolOrder.ts'

/** The protocol section of a quote that the solver fills. */
export type Protocol = Readonly<{
  orderId: Hex
  order: ProtocolOrder
  /** What the depository must receive. */
  payment: Readonly<{
    chainId: ChainId
    /** By name, as orders write it. */
    chainName: string
    depository: Address
    currency: Address
    amount: bigint
  }>
}>

/** The order of a price that the solver executes, its id, and what the depository must receive. */
export function protocolOf(
  price: Price,
  context: OrderContext & Readonly<{ depository: Address }>,
): Protocol {
  const order = createOrder(price, context)
  const { currency, amount } = price.refundCurrency
  return {
    orderId: orderIdOf(order),
    order,
    payment: {
      chainId: currency.chainId,
      // The solver settles on the chain of the deposit.
      chainName: order.solverChainId,
      depository: context.depository,
      currency: currency.address,
      amount,
    },
  }
}
