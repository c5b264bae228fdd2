import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Protocol } from '#src/protocol/order/order.ts'
import { toOrderData } from '#src/protocol/order/orderData.ts'
import type { QuotedProtocol } from '#src/service/quotedSteps.ts'
import { contractsOn, type PrepareDeps } from './prepareQuote.ts'
import type { QuotedAddress } from './toQuotedRequest.ts'

type Payment = Readonly<{ chainId: ChainId; currency: Address; amount: Amount }>

/** An order, with the payment that the depository must receive for it. */
export const quotedProtocol = (
  { contracts }: Pick<PrepareDeps, 'contracts'>,
  { orderId, order }: Protocol,
  { chainId, currency, amount }: Payment,
  address: QuotedAddress | undefined,
): QuotedProtocol => ({
  orderId,
  orderData: toOrderData(order),
  payment: {
    // The solver is paid on the chain of the deposit.
    chainName: order.solverChainId,
    depository: contractsOn(contracts, chainId).depository,
    currency,
    amount,
  },
  ...(address && {
    depositAddress: {
      address: address.depositAddress,
      depositor: address.depositor,
      factory: contractsOn(contracts, chainId).depositAddressFactory,
    },
  }),
})
