import { AppError } from '#src/core/errors.ts'

/** No request with this id was quoted with steps. */
export class UnknownRequestError extends AppError {
  constructor(requestId: string) {
    super('UNKNOWN_REQUEST', `Unknown request ${requestId}`)
  }
}
