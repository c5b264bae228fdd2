import { AppError } from '#src/errors.ts'

/** Nothing that was quoted here with steps has this id. */
export class UnknownRequestError extends AppError {
  constructor(requestId: string) {
    super('UNKNOWN_REQUEST', `No request is ${requestId}`)
  }
}
