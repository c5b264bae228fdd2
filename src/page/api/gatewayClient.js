import { createClient } from 'graphql-ws/client'

/** The gateway's answer to a wrong request. Its message is for people; its code is for programs. */
class GatewayError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   */
  constructor(code, message) {
    super(message)
    this.code = code
  }
}

/**
 * Sends a query over HTTP. Returns its data.
 * @param {string} query
 * @param {Record<string, unknown>} [variables]
 * @param {AbortSignal} [signal] aborts the request.
 * @returns {Promise<any>}
 */
export async function ask(query, variables = {}, signal = new AbortController().signal) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
    signal,
  })
  return dataOf(await response.json())
}

// One WebSocket carries all subscriptions. It opens with the first one, and comes back after a break.
const sockets = createClient({
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (retries) =>
    new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** retries, 8_000))),
})

/**
 * Subscribes over the WebSocket. Returns a function that ends the subscription.
 * @param {string} query
 * @param {Record<string, unknown>} variables
 * @param {Readonly<{
 *   onData: (data: any) => void,
 *   onError: (error: Error) => void,
 *   onEnd?: () => void
 * }>} listener
 * @returns {() => void}
 */
export const subscribe = (query, variables, { onData, onError, onEnd = () => {} }) =>
  sockets.subscribe(
    { query, variables },
    {
      next: (answer) => {
        try {
          onData(dataOf(answer))
        } catch (error) {
          onError(toError(error))
        }
      },
      error: (error) => onError(toError(error)),
      complete: onEnd,
    },
  )

/** @param {any} answer */
function dataOf({ data, errors, message }) {
  const [error] = errors ?? []
  if (error !== undefined)
    throw new GatewayError(error.extensions?.code ?? 'UNKNOWN_ERROR', error.message)
  if (data === undefined) throw new GatewayError('UNKNOWN_ERROR', message ?? 'No answer')
  return data
}

/**
 * Errors of a subscription come as a list of GraphQL errors, as an Error, or as the event of a closed socket.
 * @param {unknown} error
 */
function toError(error) {
  if (error instanceof Error) return error
  if (Array.isArray(error))
    return new GatewayError(error[0]?.extensions?.code ?? 'UNKNOWN_ERROR', error[0]?.message)
  return new GatewayError('SERVICE_UNAVAILABLE', 'The connection to the gateway is broken')
}
