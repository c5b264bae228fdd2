import { z } from 'zod'
import { backoffMs } from '#src/chains/backoff.ts'
import { BodyTooLargeError, readBody } from '#src/chains/readBody.ts'
import type { Log } from '#src/config/log.ts'
import type { UpstreamConfig } from '#src/config/upstream.ts'
import { AppError, type ErrorCode, reasonOf, statusByCode } from '#src/core/errors.ts'

/** The service does not answer: it is slow, down or overloaded, or it refuses our API key. */
export class UpstreamUnavailableError extends AppError {
  override readonly reason: string

  /** @param reason for the log. */
  constructor(reason: string) {
    super('SERVICE_UNAVAILABLE', 'The upstream service does not answer. Try again later')
    this.reason = `upstream: ${reason}`
  }
}

/** The service's answer breaks the interface, or the rules by which answers are passed on. */
export class UpstreamAnswerError extends AppError {
  /** @param problem in one phrase, without the service's own words. */
  constructor(problem: string) {
    super('SWAP_QUOTE_FAILED', `The upstream service’s answer is refused: ${problem}`, {
      upstreamProblem: problem,
    })
  }
}

/** @throws UpstreamAnswerError */
export function refuseAnswer(problem: string): never {
  throw new UpstreamAnswerError(problem)
}

/** The service refuses the request, with a code of its own. */
class UpstreamRefusalError extends AppError {
  /** The service's code, unchanged. */
  readonly upstreamCode: string

  constructor(code: string) {
    super(ownCode(code), `The upstream service refuses the request: ${code}`, {
      upstreamCode: code,
    })
    this.upstreamCode = code
  }
}

/** The same code if it is one of ours with HTTP status 400, which callers can correct; else `SWAP_QUOTE_FAILED`. */
const ownCode = (code: string): ErrorCode =>
  code in statusByCode && statusByCode[code as ErrorCode] === 400
    ? (code as ErrorCode)
    : 'SWAP_QUOTE_FAILED'

/** Client of another service with the same interface. */
export type UpstreamClient = Readonly<{
  /** Base URL of the service, without secrets. */
  service: string
  /**
   * The JSON of an answer 200, unchecked.
   * @throws UpstreamUnavailableError, UpstreamRefusalError, UpstreamAnswerError
   */
  ask: (question: Question) => Promise<unknown>
}>

type Question = Readonly<{
  /** With its query. */
  path: string
  /** Sent by POST; absent: GET. */
  body?: unknown
}>

type Deps = Readonly<{
  log: Pick<Log, 'warn' | 'info'>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

/** Maximum size of an answer. Larger quotes, with up to 32 calls of 65,535 bytes each, are not supported. */
const maxBytes = 1_048_576

/** Maximum number of parallel requests of all callers. */
const maxInFlight = 32

/** Number of failures in a row after which requests pause, so that callers do not wait for a service that is down. */
const toleratedFailures = 3

const pauses = { minMs: 1_000, maxMs: 30_000 }

const refusal = z.object({ errorCode: z.string().regex(/^[A-Z][A-Z_]{1,63}$/) })

export function createUpstreamClient(
  { log, now }: Deps,
  { url, apiKey, timeoutSeconds }: Pick<UpstreamConfig, 'url' | 'apiKey' | 'timeoutSeconds'>,
): UpstreamClient {
  let inFlight = 0
  let failures = 0
  let pausedUntil = 0

  function fail(reason: string): never {
    // Failures of requests that were sent before the pause do not count.
    if (now() < pausedUntil) throw new UpstreamUnavailableError(reason)
    failures += 1
    if (failures === 1) log.warn({ reason, upstream: url }, 'The upstream service does not answer')
    if (failures >= toleratedFailures)
      pausedUntil = now() + backoffMs(failures - toleratedFailures + 1, pauses)
    throw new UpstreamUnavailableError(reason)
  }

  function succeed(): void {
    if (failures > 0) log.info({ upstream: url }, 'The upstream service answers again')
    failures = 0
  }

  async function send({
    path,
    body,
  }: Question): Promise<Readonly<{ status: number; text: string }>> {
    try {
      const response = await fetch(`${url}${path}`, {
        // A redirect would take the API key and the answer elsewhere.
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutSeconds * 1000),
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return { status: response.status, text: await readBody(response.body, maxBytes) }
    } catch (error) {
      if (error instanceof BodyTooLargeError) throw new UpstreamAnswerError(error.message)
      return fail(reasonOf(error))
    }
  }

  async function answer(question: Question): Promise<unknown> {
    const { status, text } = await send(question)
    if (status === 401 || status === 403 || status === 429 || status >= 500) fail(`HTTP ${status}`)
    succeed()
    const json = parse(text)
    if (status === 200) return json
    const refused = refusal.safeParse(json)
    if (status >= 400 && refused.success) throw new UpstreamRefusalError(refused.data.errorCode)
    throw new UpstreamAnswerError(`HTTP ${status} without an error code`)
  }

  return {
    service: url,
    ask: async (question) => {
      if (now() < pausedUntil) throw new UpstreamUnavailableError('paused after failures')
      if (inFlight >= maxInFlight) throw new UpstreamUnavailableError('too many requests at a time')
      inFlight += 1
      try {
        return await answer(question)
      } finally {
        inFlight -= 1
      }
    },
  }
}

/** @throws UpstreamAnswerError */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UpstreamAnswerError('it is not JSON')
  }
}
