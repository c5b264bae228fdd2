import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { mulDivDown } from '#src/core/units/arithmetic.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import type { TxId } from '#src/core/units/txId.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { outputProgress } from '#src/requests/progress.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import { type Progress, transactionOf } from '#src/requests/state/requestState.ts'
import type { RequestAnswer } from '#src/service/answers.ts'

/** An amount that a transaction paid to an account. */
export type PaidAmount = Readonly<{
  chainId: ChainId
  recipient: Account
  address: Account
  amount: Amount
  /** At the prices of the quote, rounded down; undefined without one. */
  usd: Usd | undefined
  topup?: Amount
  claimable?: Amount
  /** Absent for an app fee out of a deposit. */
  txHash?: TxId
}>

/** What the transaction of a step, fill or refund paid; undefined until it is confirmed, or if the chain does not show it. */
export function paidBy(
  progress: Progress | undefined,
  request: QuotedRequest,
): PaidAmount | undefined {
  const transaction = transactionOf(progress)
  if (transaction?.paid === undefined) return undefined
  const { currency: address, ...paid } = transaction.paid
  const place = { chainId: toChainId(transaction.chainId), address }
  return {
    ...place,
    ...paid,
    usd: quotedUsd(request, { ...place, amount: paid.amount }),
    txHash: transaction.hash,
  }
}

/** What the recipient of the request got, by the fill or by the user's own swap. */
export const paidToRecipient = ({ request, state }: RequestAnswer): PaidAmount | undefined =>
  paidBy(outputProgress(request, state), request)

/**
 * The app fees that settlements, or the user's own swap, have paid. Empty before, and without app fees; undefined if the
 * chain does not show them.
 */
export async function paidAppFees({
  request,
  state,
  deposits,
}: RequestAnswer): Promise<readonly PaidAmount[] | undefined> {
  if (request.execution === 'user') {
    const progress = outputProgress(request, state)
    const transaction = progress?.status === 'confirmed' ? progress.transaction : undefined
    const hasFees = (request.summary?.app.amount ?? 0n) > 0n
    if (state.status !== 'success' || !hasFees) return []
    return transaction?.appFees?.map(({ recipient, amount }) => {
      const place = { chainId: request.originChainId, address: request.originCurrency, amount }
      return { ...place, recipient, usd: quotedUsd(request, place), txHash: transaction.hash }
    })
  }
  if (request.execution !== 'solver' || request.order.fees.length === 0) return []
  const settled = (await deposits()).filter(({ status }) => status === 'settled')
  if (settled.some(({ paid }) => paid === undefined)) return undefined
  return settled.flatMap(({ chainId, currency: address, paid = [] }) =>
    paid.map(({ recipient, amount }) => {
      const place = { chainId, address, amount }
      return { ...place, recipient, usd: quotedUsd(request, place) }
    }),
  )
}

/** The value of an amount at the price that the quote had for its currency, rounded down; undefined without one. */
function quotedUsd(
  request: QuotedRequest,
  { chainId, address, amount }: Readonly<{ chainId: ChainId; address: Account; amount: Amount }>,
): Usd | undefined {
  if (amount === 0n) return toUsd(0n)
  const { summary, originChainId, originCurrency, destinationChainId, destinationCurrency } =
    request
  if (summary === undefined) return undefined
  const isSingle = request.execution !== 'solver' || request.funding === undefined
  const valued = [
    {
      chainId: destinationChainId,
      address: destinationCurrency,
      amount: request.amountOut,
      usd: summary.outUsd,
    },
    // The value of all inputs of a multi-input quote is that of several currencies.
    {
      chainId: originChainId,
      address: originCurrency,
      amount: request.amountIn,
      usd: isSingle ? summary.inUsd : undefined,
    },
    { ...summary.feeCurrency, ...summary.app },
    { ...summary.feeCurrency, ...summary.relayerGas },
  ]
  const known = valued.find(
    (each) => each.chainId === chainId && each.address === address && each.amount > 0n && each.usd,
  )
  return known?.usd && toUsd(mulDivDown(known.usd, amount, known.amount))
}
