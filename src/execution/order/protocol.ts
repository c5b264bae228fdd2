import type { Hex } from 'viem'
import { createOrder, type OrderContext } from './createOrder.ts'
import { orderIdOf } from './orderId.ts'
import type { ProtocolOrder } from './protocolOrder.ts'
import type { QuotedPrice } from './quotedPrice.ts'

/** What a price that the solver executes comes to: the order, and its id. */
export type Protocol = Readonly<{ orderId: Hex; order: ProtocolOrder }>

export function protocolOf(price: QuotedPrice, context: OrderContext): Protocol {
  const order = createOrder(price, context)
  return { orderId: orderIdOf(order), order }
}
