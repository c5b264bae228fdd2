import { Agent, type Dispatcher, interceptors } from 'undici'

/** Larger answers are refused, so that no endpoint can fill the memory. */
export const maxAnswerBytes = 10 * 1024 * 1024

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
export async function postText(request: Post, signal: AbortSignal): Promise<Answer> {
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
