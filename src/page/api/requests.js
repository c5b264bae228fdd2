/** @import { PriceInput, Quote, RequestStatus, RequestSummary } from '#src/page/api/answers.ts' */
import {
  blockhashDocument,
  indexDocument,
  permitDocument,
  quoteDocument,
  requestsDocument,
  statusDocument,
} from '#src/page/api/documents.js'
import { ask, subscribe } from '#src/page/api/gatewayClient.js'

/**
 * Requests a quote, which creates a request.
 * @param {PriceInput} input
 * @returns {Promise<Quote>}
 */
export const takeQuote = async (input) => (await ask(quoteDocument, { input })).quote

/**
 * Follows a request: its status at once, then every change until it ends. Returns a function that stops it.
 * @param {string} requestId
 * @param {Readonly<{ onStatus: (status: RequestStatus) => void, onError: (error: Error) => void }>} listener
 */
export const followRequest = (requestId, { onStatus, onError }) =>
  subscribe(
    statusDocument,
    { requestId },
    { onData: ({ requestStatus }) => onStatus(requestStatus), onError },
  )

/**
 * The newest paid requests of a user.
 * @param {string} user
 * @returns {Promise<readonly RequestSummary[]>}
 */
export async function listRequests(user) {
  const { requests } = await ask(requestsDocument, { user })
  return requests.edges.map((/** @type {{ node: RequestSummary }} */ { node }) => node)
}

/**
 * The hash of the newest block that the gateway has read: a transaction with it may land for about a minute.
 * @param {number} chainId
 * @returns {Promise<string>}
 */
export async function readBlockhash(chainId) {
  const { chain } = await ask(blockhashDocument, { chainId })
  if (!chain?.head) throw new Error('The gateway has not read the chain yet')
  return chain.head.hash
}

/**
 * Reports a transaction of a request. The gateway inspects it at once. It has no other source of approvals.
 * @param {Readonly<{ requestId: string, chainId: number, txHash: string }>} transaction
 */
export const reportTransaction = (transaction) => ask(indexDocument, transaction)

/**
 * Sends the signature of a step to the gateway. The solver then sends the transaction.
 * @param {Readonly<{ requestId: string, kind: string, signature: string }>} signed
 */
export const sendSignature = (signed) => ask(permitDocument, signed)
