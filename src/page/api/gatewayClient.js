import { createClient } from 'graphql-ws/client'

/**
 * The gateway's answer to a wrong request. Its message is for people; its code and its data, the values in the message,
 * are for programs.
 */
class GatewayError extends Error {
  /**
   * @param {string} code
   * @param {string} message
   * @param {import('#src/page/api/answers.ts').ErrorData & { retryAfterSeconds?: number }} [data]
   */
  constructor(code, message, data) {
    super(message)
    this.code = code
    this.data = data ?? {}
    this.retryAfterSeconds = data?.retryAfterSeconds ?? 1
  }
}

// The gateway has done nothing: the same request is sent again.
const busyCodes = ['OVERLOADED', 'RATE_LIMITED']

// Temporary errors. They end a subscription, which is then started again.
const temporaryCodes = [...busyCodes, 'SERVICE_UNAVAILABLE', 'SUBSCRIBER_TOO_SLOW']

const maxTries = 3

/**
 * Sends a query over HTTP. Returns its data. Retries after the time that a busy gateway states.
 * @param {string} query
 * @param {Record<string, unknown>} [variables]
 * @param {AbortSignal} [signal] aborts the request.
 * @returns {Promise<any>}
 */
export async function ask(query, variables = {}, signal = new AbortController().signal) {
  for (let tries = 1; ; tries++) {
    const response = await fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
      signal,
    })
    try {
      return dataOf(await response.json())
    } catch (error) {
      if (!isOneOf(busyCodes, error) || tries === maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, error.retryAfterSeconds * 1000))
    }
  }
}

/**
 * @param {readonly string[]} codes
 * @param {unknown} error
 * @returns {error is GatewayError}
 */
const isOneOf = (codes, error) => error instanceof GatewayError && codes.includes(error.code)

/** @type {Set<(isConnected: boolean) => void>} */
const watchers = new Set()
let isConnected = true
const setConnected = (/** @type {boolean} */ next) => {
  isConnected = next
  for (const watcher of watchers) watcher(next)
}

/**
 * Calls `watcher` now and whenever the connection to the gateway breaks or is back. Returns a function that stops it.
 * @param {(isConnected: boolean) => void} watcher
 */
export function watchConnection(watcher) {
  watchers.add(watcher)
  watcher(isConnected)
  return () => void watchers.delete(watcher)
}

// A network that is gone closes no socket. Only an answer that does not come shows it.
const pingMs = 4_000
const pongMs = 4_000

/** @type {ReturnType<typeof setTimeout> | undefined} */
let silence

// One WebSocket carries all subscriptions. It opens with the first one, and reconnects after a failure.
const sockets = createClient({
  url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
  retryAttempts: Number.POSITIVE_INFINITY,
  shouldRetry: () => true,
  retryWait: (retries) =>
    new Promise((resolve) => setTimeout(resolve, Math.min(250 * 2 ** retries, 4_000))),
  keepAlive: pingMs,
  on: {
    connected: () => setConnected(true),
    closed: () => {
      clearTimeout(silence)
      setConnected(false)
    },
    ping: (isReceived) => {
      if (!isReceived) silence = setTimeout(() => sockets.terminate(), pongMs)
    },
    pong: (isReceived) => {
      if (isReceived) clearTimeout(silence)
    },
  },
})

/**
 * Subscribes over the WebSocket, and again after a temporary error. Returns a function that ends the subscription.
 * @param {string} query
 * @param {Record<string, unknown>} variables
 * @param {Readonly<{
 *   onData: (data: any) => void,
 *   onError: (error: Error) => void,
 *   onEnd?: () => void
 * }>} listener
 * @returns {() => void}
 */
export function subscribe(query, variables, { onData, onError, onEnd = () => {} }) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let pause
  let stop = start()

  function start() {
    pause = undefined
    return sockets.subscribe(
      { query, variables },
      {
        next: (answer) => {
          try {
            onData(dataOf(answer))
          } catch (error) {
            refuse(error)
          }
        },
        error: refuse,
        complete: () => {
          if (pause === undefined) onEnd()
        },
      },
    )
  }

  /** @param {unknown} cause */
  function refuse(cause) {
    const error = toError(cause)
    if (!isOneOf(temporaryCodes, error)) return onError(error)
    pause = setTimeout(() => {
      stop = start()
    }, error.retryAfterSeconds * 1000)
  }

  return () => {
    clearTimeout(pause)
    stop()
  }
}

/** @param {any} answer */
function dataOf({ data, errors, message }) {
  const [error] = errors ?? []
  if (error !== undefined) throw toGatewayError(error)
  if (data === undefined) throw new GatewayError('UNKNOWN_ERROR', message ?? 'No answer')
  return data
}

/** @param {any} error of a GraphQL answer. */
const toGatewayError = ({ message, extensions }) =>
  new GatewayError(extensions?.code ?? 'UNKNOWN_ERROR', message, extensions)

/**
 * The error of a subscription: graphql-ws gives GraphQL errors, an Error, or the close event of the socket.
 * @param {unknown} error
 */
function toError(error) {
  if (error instanceof Error) return error
  if (Array.isArray(error)) return toGatewayError(error[0] ?? {})
  return new GatewayError('SERVICE_UNAVAILABLE', 'The connection to the gateway is broken')
}
