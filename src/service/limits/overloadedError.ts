import { AppError } from '#src/core/errors.ts'

/** The gateway has more work than it can do in time. Nothing of the request was done. */
export class OverloadedError extends AppError {
  constructor() {
    super('OVERLOADED', 'The gateway is overloaded. Try again in 1 s.', { retryAfterSeconds: 1 })
  }
}
