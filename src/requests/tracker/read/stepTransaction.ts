import type { ChainTransaction } from '#src/chains/readTransaction.ts'
import type { TransactionData } from '#src/execution/steps/step.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Address } from '#src/units/address.ts'
import type { Spending } from './trackedLogs.ts'

/** The last item of the last step: the deposit, or the user's own swap. */
export const mainData = ({ steps }: Pick<QuotedRequest, 'steps'>): TransactionData | undefined =>
  steps.at(-1)?.items.at(-1)?.data

/** Whether the transaction is the item as it was handed out, sent by whom it was handed to. */
export const isItem = (
  { from, to, value, input }: ChainTransaction,
  item: TransactionData,
): boolean =>
  from === item.from &&
  to === item.to &&
  value === item.value &&
  input.toLowerCase() === item.data.toLowerCase()

/** Long enough to be nobody else's: a selector and the request's id at the least. */
const shortestCarried = 2 + 2 * (4 + 32)

/**
 * Whether the transaction is the request's main one. For a wallet that is a contract another account sends it:
 * then it holds the item's calldata and the user has a part in it, as `caller` of the router or by what the
 * user spent. Either alone is anybody's to make.
 */
export function isMainTransaction(
  transaction: ChainTransaction,
  request: QuotedRequest,
  { caller, spent }: Readonly<{ caller?: Address; spent: readonly Spending[] }>,
): boolean {
  const item = mainData(request)
  if (item === undefined) return false
  if (isItem(transaction, item)) return true
  // The user's own call of the same contract is the item or it is not.
  if (transaction.from === request.user && transaction.to === item.to) return false
  const carried = item.data.slice(2).toLowerCase()
  if (item.data.length < shortestCarried || !transaction.input.includes(carried)) return false
  if (caller === request.user) return true
  const sum = spent
    .filter(
      ({ account, currency, txHash }) =>
        txHash === transaction.hash &&
        account === request.user &&
        currency === request.originCurrency,
    )
    .reduce((total, { amount }) => total + amount, 0n)
  return sum >= request.amountIn
}
