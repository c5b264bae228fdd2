import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { Agent, type Dispatcher, interceptors } from 'undici'
import { RateLimitedError } from './rpcError.ts'

/** An HTTP status that is not a success, and the words of the answer. */
class HttpStatusError extends Error {
  constructor(status: number, text: string) {
    super(statusAndWords(status, text))
  }
}

/** Text that is read for its words. More of them would only fill the log. */
const maxWords = 2_000

/** The status and the words of an answer: the message in its JSON, else the text without tags of HTML. */
function statusAndWords(status: number, text: string): string {
  const page = text
    .slice(0, maxWords)
    .replaceAll(/<(style|script)[\s\S]*?(<\/\1>|$)|<[^>]*>?/gi, ' ')
  const said = (messageIn(text) ?? wordsIn(text) ?? page).slice(0, maxWords)
  const words = said.replaceAll(/\s+/g, ' ').trim()
  return words === '' ? `HTTP ${status}` : `HTTP ${status}: ${words}`
}

/** The message of a JSON answer that is not JSON-RPC, as proxies and providers write it. */
function wordsIn(text: string): string | undefined {
  if (text.length > 10 * maxWords) return undefined
  try {
    const { message, error, detail } = JSON.parse(text)
    return [message, error?.message, error, detail].find((each) => typeof each === 'string')
  } catch {
    return undefined
  }
}

type JsonAnswer = Readonly<{
  json: unknown
  /** How long the server asks to wait before the next request. */
  retryAfterMs: number | undefined
}>

export type PostJson = (body: unknown, signal: AbortSignal) => Promise<JsonAnswer>

/** Prepares POST requests to a URL. Credentials in it are sent as basic authentication. */
export function createJsonPoster(url: string): PostJson {
  const { origin, pathname, search, username, password } = new URL(url)
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    'content-type': 'application/json',
    'accept-encoding': 'gzip',
    ...(credentials !== ':' && {
      authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
    }),
  }

  /**
   * The JSON of the answer. A JSON-RPC error counts as an answer with any HTTP status except those for rate limits.
   * @throws RateLimitedError for 429, and for 503 with Retry-After; HttpStatusError; SyntaxError if the answer is not
   * JSON; errors of the network; the reason of `signal`
   */
  return async (body, signal) => {
    const request = { origin, path: pathname + search, headers, body: JSON.stringify(body) }
    const answer = await postText(request, signal)
    const { statusCode } = answer
    const text = await textOf(answer)
    const retryAfterMs = parseRetryAfter(answer.headers['retry-after'], Date.now())
    const isLimited = statusCode === 429 || (statusCode === 503 && retryAfterMs !== undefined)
    // The message may resemble that of a failed call, but no node has executed the call.
    if (isLimited) throw new RateLimitedError(statusAndWords(statusCode, text), retryAfterMs)
    const isSuccess = statusCode >= 200 && statusCode < 300
    if (isSuccess || messageIn(text) !== undefined) return { json: JSON.parse(text), retryAfterMs }
    throw new HttpStatusError(statusCode, text)
  }
}

const unzip = promisify(gunzip)

async function textOf({ headers, body }: Awaited<ReturnType<typeof postText>>): Promise<string> {
  if (headers['content-encoding'] !== 'gzip') return body.toString()
  return String(await unzip(body, { maxOutputLength: maxAnswerBytes }))
}

/** The message of a JSON-RPC error; undefined if the text is not a JSON-RPC error. */
function messageIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: { code?: unknown; message?: unknown } }
    const isError = typeof error?.code === 'number' && typeof error.message === 'string'
    return isError ? String(error.message) : undefined
  } catch {
    return undefined
  }
}

/** Larger answers are refused, so that no endpoint can fill the memory. */
const maxAnswerBytes = 10 * 1024 * 1024

/**
 * `dispatch` is used instead of `fetch` or `request`, whose streams take more than twice the CPU time for small
 * answers.
 */
const agent = new Agent({
  maxResponseSize: maxAnswerBytes,
  // The caller's signal ends a request.
  headersTimeout: 0,
  bodyTimeout: 0,
})
const redirected = agent.compose(interceptors.redirect({ maxRedirections: 3 }))

type Answer = Readonly<{
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}>

type Post = Readonly<{
  origin: string
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}>

/**
 * Sends a POST request, and follows redirects. @throws errors of the network, also for an answer above
 * `maxAnswerBytes`; the reason of `signal`
 */
async function postText(request: Post, signal: AbortSignal): Promise<Answer> {
  const answer = await postBy(agent, request, signal)
  const isRedirected = answer.statusCode >= 300 && answer.statusCode < 400
  return isRedirected ? postBy(redirected, request, signal) : answer
}

const postBy = (dispatcher: Dispatcher, request: Post, signal: AbortSignal): Promise<Answer> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const chunks: Buffer[] = []
    let head: Omit<Answer, 'body'> = { statusCode: 0, headers: {} }
    let controller: Dispatcher.DispatchController | undefined
    const stop = () => {
      controller?.abort(signal.reason)
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    dispatcher.dispatch(
      { ...request, method: 'POST' },
      {
        onRequestStart(started) {
          controller = started
          // The signal may have fired while the request waited for a connection.
          if (signal.aborted) started.abort(signal.reason)
        },
        onResponseStart(_, statusCode, headers) {
          head = { statusCode, headers }
        },
        onResponseData(_, chunk) {
          chunks.push(chunk)
        },
        onResponseEnd() {
          signal.removeEventListener('abort', stop)
          const [only = Buffer.alloc(0)] = chunks
          resolve({ ...head, body: chunks.length > 1 ? Buffer.concat(chunks) : only })
        },
        onResponseError(_, error) {
          signal.removeEventListener('abort', stop)
          reject(error)
        },
      },
    )
  })

/** Longer times are cut to a minute, so that no endpoint can stop all requests for long. */
const maxRetryAfterMs = 60_000

/**
 * Parses a `Retry-After` header, in seconds or as an HTTP date. Returns milliseconds, at most a minute.
 * Undefined if the header is missing or invalid.
 * @param now Unix time in milliseconds.
 * @source RFC 9110, 10.2.3
 */
export function parseRetryAfter(
  header: string | readonly string[] | undefined,
  now: number,
): number | undefined {
  const text = (typeof header === 'string' ? header : header?.[0])?.trim() ?? ''
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : dateOf(text) - now
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), maxRetryAfterMs)
}

/** Accepts only the format that RFC 9110 requires of senders, because `Date.parse` accepts almost any text. */
const dateOf = (text: string): number =>
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : Number.NaN
