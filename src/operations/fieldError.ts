import { AppError, type ErrorCode, type ErrorData } from '#src/errors.ts'

/** Names a field of a request by the keys that lead to it. */
export type FieldPath = readonly (string | number)[]

/** What stands in the way at one field of a request. */
export class FieldError extends AppError {
  readonly path: FieldPath
  readonly reason: string

  constructor(code: ErrorCode, path: FieldPath, reason: string, facts?: ErrorData) {
    const field = path.join('.')
    super(code, `${field}: ${reason}.`, { field, ...facts })
    this.path = path
    this.reason = reason
  }
}

/** @throws AppError the one of `errors` if there is one, or else one that names every field of theirs and has the first’s code. */
export function throwTogether(errors: readonly FieldError[]): void {
  const [first, ...others] = errors
  if (first === undefined) return
  if (others.length === 0) throw first
  const text = errors.map(({ path, reason }) => `${path.join('.')}: ${reason}`).join('; ')
  const issues = errors.map(({ path, reason, code }) => ({ path, message: reason, code }))
  throw new AppError(first.code, `${text}.`, { issues })
}
