/** @import { Chain, Quote, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Account } from '#src/page/accounts/provider.js' */
import { reportTransaction } from '#src/page/api/requests.js'

/**
 * Sends the transactions of a quote, one after the other: each waits until a block contains the one before it.
 * @param {Quote} quote
 * @param {Account} account
 * @param {Readonly<{
 *   chainOf: (chainId: number) => Chain,
 *   statusWhere: (holds: (status: RequestStatus) => boolean) => Promise<RequestStatus>
 * }>} request `statusWhere` resolves to the first status of the request for which `holds` is true.
 */
export async function executeQuote({ requestId, steps }, account, { chainOf, statusWhere }) {
  for (const [stepAt, { items }] of steps.entries()) {
    for (const [itemAt, { data }] of items.entries()) {
      const txHash = await account.send(data, chainOf(data.chainId))
      await reportTransaction({ requestId, chainId: data.chainId, txHash })
      const { status, steps: shown } = await statusWhere(
        ({ status, steps: progress }) =>
          isMined(progress[stepAt]?.items[itemAt]?.status) || isFinal(status),
      )
      if (isFinal(status)) return
      if (shown[stepAt]?.items[itemAt]?.status === 'reverted')
        throw new Error('The transaction reverted: only gas was spent. Ask for a new price.')
    }
  }
}

/** @param {string | undefined} status */
const isMined = (status) =>
  status === 'seen' || status === 'confirmed' || status === 'reverted' || status === 'implied'

/** @param {RequestStatus['status']} status */
const isFinal = (status) => status === 'success' || status === 'failure' || status === 'refund'
