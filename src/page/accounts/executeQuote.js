/** @import { Chain, Quote, QuoteStep, RequestStatus } from '#src/page/api/answers.ts' */
/** @import { Account, EvmAccount } from '#src/page/accounts/provider.js' */
import { shortHash } from '#src/page/amounts/amounts.js'
import { reportTransaction, sendSignature } from '#src/page/api/requests.js'

/**
 * Executes the steps of a quote, one after the other. Each transaction waits until a block contains the one before it.
 * A signature goes to the gateway, and the solver sends the transaction.
 * @param {Quote} quote
 * @param {Account} account
 * @param {Readonly<{
 *   chainOf: (chainId: number) => Chain,
 *   statusWhere: (holds: (status: RequestStatus) => boolean) => Promise<RequestStatus>,
 *   onPhase: (phase: 'signing' | 'sending') => void,
 *   onSent: () => void
 * }>} request `statusWhere` resolves to the first status of the followed request for which `holds` is true. `onSent` is
 *   called after each transaction and signature: the caller follows the request from then on.
 */
export async function executeQuote({ requestId, steps }, account, request) {
  const { chainOf, statusWhere, onPhase, onSent } = request

  /** @param {(progress: RequestStatus['steps']) => string | undefined} itemStatus */
  const untilMined = async (itemStatus) => {
    const { status, steps: shown } = await statusWhere(
      (next) =>
        next.requestId === requestId && (isMined(itemStatus(next.steps)) || isFinal(next.status)),
    )
    if (isFinal(status)) return 'ended'
    if (itemStatus(shown) === 'reverted')
      throw new Error('The transaction reverted: only gas was spent. Ask for a new price.')
    return 'mined'
  }

  for (const [stepAt, { items, signature, svmTransaction }] of steps.entries()) {
    if (account.vmType === 'svm') {
      if (svmTransaction === null) throw new Error('The account cannot execute this step')
      const { chainId } = svmTransaction
      const txHash = await account.send(svmTransaction, chainOf(chainId))
      onSent()
      await reportTransaction({ requestId, chainId, txHash })
      if ((await untilMined((steps) => steps[stepAt]?.items[0]?.status)) === 'ended') return
      continue
    }
    if (signature !== null) {
      onPhase('signing')
      await sign(
        { requestId, signature },
        account,
        chainOf(Number(signature.typedData.domain['chainId'])),
      )
      onPhase('sending')
      onSent()
      const isPayment = signature.kind !== 'EIP2612'
      if (isPayment && (await untilMined((steps) => steps[stepAt]?.items[0]?.status)) === 'ended')
        return
    }
    for (const [itemAt, { data }] of items.entries()) {
      const txHash = await account.send(data, chainOf(data.chainId))
      onSent()
      await reportTransaction({ requestId, chainId: data.chainId, txHash })
      if ((await untilMined((steps) => steps[stepAt]?.items[itemAt]?.status)) === 'ended') return
    }
  }
}

/**
 * Asks the account for the signature, and sends it to the gateway.
 * @param {Readonly<{ requestId: string, signature: NonNullable<QuoteStep['signature']> }>} step
 * @param {EvmAccount} account
 * @param {Chain} chain
 */
async function sign({ requestId, signature }, account, chain) {
  const { kind, typedData } = signature
  const signed = await account.sign(typedData, chain)
  const end = Number(typedData.message['validBefore'] ?? typedData.message['deadline'])
  if (Date.now() >= end * 1000)
    throw new Error(
      'You signed after the end of the quote. Nothing was paid: swap again for a new quote.',
    )
  try {
    await sendSignature({ requestId, kind, signature: signed })
  } catch (error) {
    throw new Error(refusalWords(error, account), { cause: error })
  }
}

/**
 * The message for the user if the gateway refuses a signature.
 * @param {unknown} error
 * @param {Account} account
 */
function refusalWords(error, { address }) {
  const { code, message } = /** @type {any} */ (error) ?? {}
  switch (code) {
    case 'PERMIT_FAILED':
      return `The signature was not accepted, and nothing was paid. Check that your wallet signs for ${shortHash(address)}, then swap again for a new quote. The gateway says: ${message}`
    case 'INSUFFICIENT_FUNDS':
      return 'The account no longer holds what the swap pays. Nothing was paid.'
    default:
      return message
  }
}

/** @param {string | undefined} status */
const isMined = (status) =>
  status === 'seen' || status === 'confirmed' || status === 'reverted' || status === 'implied'

/** @param {RequestStatus['status']} status */
const isFinal = (status) => status === 'success' || status === 'failure' || status === 'refund'
