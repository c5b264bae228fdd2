import type { Hash } from 'viem'
import type { Loaders, StoredQuote } from '#src/service/operations.ts'
import type { PrepareDeps } from './prepareQuote.ts'
import { quotedProtocol } from './quotedProtocol.ts'
import { withGas } from './stepGas.ts'

/** A stored quote, with its steps as they were quoted. `undefined` for an unknown id. */
export async function storedQuote(
  deps: Pick<PrepareDeps, 'contracts' | 'simulator'>,
  quoteId: Hash,
  loaders: Pick<Loaders, 'quotedRequest'>,
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
