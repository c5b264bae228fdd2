import type { Hash } from 'viem'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Protocol } from '#src/protocol/order/order.ts'
import { toOrderData } from '#src/protocol/order/protocolOrder.ts'
import type { Loaders, StoredQuote } from '#src/service/answers.ts'
import type { QuotedProtocol } from '#src/service/quotedSteps.ts'
import { depositoryOn, type PrepareDeps, sweeperOn } from './prepareQuote.ts'
import { withGas } from './stepGas.ts'

/** A stored quote, with its steps as they were quoted. `undefined` for an unknown id. */
export async function storedQuote(
  deps: PrepareDeps,
  quoteId: Hash,
  loaders: Loaders,
): Promise<StoredQuote | undefined> {
  const request = await loaders.quotedRequest(quoteId)
  if (request === undefined) return undefined
  const order = request.execution === 'solver' ? request : undefined
  return {
    storedAs: order?.funding === undefined ? 'Quote' : 'MultiInputQuote',
    requestId: async () => request.requestId,
    quoteId: async () => quoteId,
    steps: async () => withGas(deps, request.steps),
    protocol: async () => {
      const input = order?.inputs[0]
      if (order === undefined || input === undefined) return undefined
      const { chainId, depositCurrency, depositAmount } = input
      const payment = { chainId, currency: depositCurrency, amount: depositAmount }
      const { depositAddress, depositor } = order
      const address =
        depositAddress === undefined || depositor === undefined
          ? undefined
          : { depositAddress, depositor }
      return quotedProtocol(deps, order, payment, address)
    },
    depositDeadline: async () => order?.funding?.depositDeadline ?? request.deadline,
  }
}

type Payment = Readonly<{ chainId: ChainId; currency: Account; amount: Amount }>

/** An order, with the payment that the depository must receive for it. */
export const quotedProtocol = (
  deps: PrepareDeps,
  { orderId, order }: Protocol,
  { chainId, currency, amount }: Payment,
  address: Readonly<{ depositAddress: Account; depositor: Account }> | undefined,
): QuotedProtocol => ({
  orderId,
  orderData: toOrderData(order),
  payment: {
    // The solver is paid on the chain of the deposit.
    chainName: order.solverChainId,
    depository: depositoryOn(deps, chainId),
    currency,
    amount,
  },
  ...(address && {
    depositAddress: {
      address: address.depositAddress,
      depositor: address.depositor,
      factory: sweeperOn(deps, chainId),
    },
  }),
})
