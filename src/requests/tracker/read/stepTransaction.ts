import type { ChainTransaction } from '#src/chains/read/readTransaction.ts'
import type { Address } from '#src/core/units/address.ts'
import type { PayingPermit } from '#src/protocol/permit.ts'
import type { TransactionData } from '#src/protocol/step.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Spending } from './trackedLogs.ts'

/** Calldata of the last item of the last step: the deposit, or the user's own swap. */
export const mainData = ({ steps }: QuotedRequest): TransactionData | undefined =>
  steps.at(-1)?.items.at(-1)?.data

/** Whether the transaction is exactly the quoted item, sent by its user. */
export const isItem = (
  { from, to, value, input }: ChainTransaction,
  item: TransactionData,
): boolean =>
  from === item.from &&
  to === item.to &&
  value === item.value &&
  input.toLowerCase() === item.data.toLowerCase()

/** Calldata of at least a selector and a request id is unique to its request. */
const minUniqueLength = 2 + 2 * (4 + 32)

/** Whether the relayer's transaction executes the calls that a user has signed. */
const executesPermit = ({ from, to, input }: ChainTransaction, { run }: PayingPermit): boolean =>
  from === run.relayer &&
  to === run.approvalProxy &&
  run.calls.every(({ callData }) => input.toLowerCase().includes(callData.slice(2).toLowerCase()))

/**
 * Whether the transaction is the request's main transaction. Another account sends the transaction of a contract
 * wallet. Then it must contain the item's calldata, and the user must be the router's `caller` or have spent the
 * amount. Anybody could forge one of the two alone.
 */
export function isMainTransaction(
  transaction: ChainTransaction,
  request: QuotedRequest,
  { caller, spent }: Readonly<{ caller?: Address; spent: readonly Spending[] }>,
): boolean {
  const permit = request.steps.at(-1)?.signature?.permit
  if (permit !== undefined && permit.kind !== 'eip2612')
    return caller === permit.run.approvalProxy && executesPermit(transaction, permit)
  const item = mainData(request)
  if (item === undefined) return false
  if (isItem(transaction, item)) return true
  // A direct call by the user would have matched `isItem`.
  if (transaction.from === request.user && transaction.to === item.to) return false
  const calldata = item.data.slice(2).toLowerCase()
  if (item.data.length < minUniqueLength || !transaction.input.includes(calldata)) return false
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
