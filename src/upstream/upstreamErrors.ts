import { AppError, type ErrorCode, statusByCode } from '#src/core/errors.ts'

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
export class UpstreamRefusalError extends AppError {
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
