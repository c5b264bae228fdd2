import { AppError, type ErrorCode, type ErrorData } from '#src/errors.ts'

/** Names a field of a request by the keys that lead to it. */
export type FieldPath = readonly (string | number)[]

/** What stands in the way at one field of a request. */
export class FieldError extends AppError {
  /** Not called `path`: graphql-js takes every error that has one for its own. */
  readonly place: FieldPath
  readonly reason: string

  constructor(code: ErrorCode, place: FieldPath, reason: string, facts?: ErrorData) {
    const field = place.join('.')
    super(code, `${field}: ${reason}.`, { field, ...facts })
    this.place = place
    this.reason = reason
  }
}

/** @throws AppError the one of `errors` if there is one, or else one that names every field of theirs and has the first’s code. */
export function throwTogether(errors: readonly FieldError[]): void {
  const [first, ...others] = errors
  if (first === undefined) return
  if (others.length === 0) throw first
  const text = errors.map(({ place, reason }) => `${place.join('.')}: ${reason}`).join('; ')
  const issues = errors.map(({ place, reason, code }) => ({ path: place, message: reason, code }))
  throw new AppError(first.code, `${text}.`, { issues })
}
