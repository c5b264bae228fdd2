import type { MarketFeed } from '#src/market/createMarket.ts'
import { feesOf } from '#src/protocol/steps/buildSteps.ts'
import { checkOf } from '#src/protocol/steps/step.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import type { QuotedItem, QuotedStep } from '#src/service/quotedSteps.ts'

/** The transaction of a signature, for the account that pays its gas instead of the solver. */
export function payerSteps(
  { simulator, latest }: Pick<MarketFeed, 'simulator' | 'latest'>,
  { requestId, execution }: Pick<StoredRequest, 'requestId' | 'execution'>,
  transaction: Pick<QuotedItem['data'], 'chainId' | 'from' | 'to' | 'data' | 'value'>,
): readonly QuotedStep[] {
  const market = latest(transaction.chainId)
  if (market === undefined) throw new Error(`No market of chain ${transaction.chainId}`)
  const data = {
    ...transaction,
    ...feesOf(market.gas),
    gas: () => simulator.estimateGas(transaction),
  }
  const isDeposit = execution === 'solver'
  return [
    {
      id: isDeposit ? 'deposit' : 'swap',
      action: 'Confirm transaction in your wallet',
      description: 'Sending the signed payment',
      kind: 'transaction',
      requestId,
      ...(isDeposit && { depositAddress: '' }),
      items: [{ status: 'incomplete', data, check: checkOf({ requestId }) }],
    },
  ]
}
