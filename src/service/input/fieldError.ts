import { AppError, type ErrorCode, type ErrorData } from '#src/core/errors.ts'

/** Path of a request field: keys and list indexes from the root. */
export type FieldPath = readonly (string | number)[]

/** A problem with one field of a request. */
export class FieldError extends AppError {
  /** Not named `path`: graphql-js treats every error with a `path` as its own. */
  readonly place: FieldPath
  /** Without the field, in one phrase. */
  readonly problem: string

  constructor(code: ErrorCode, place: FieldPath, problem: string, facts?: ErrorData) {
    const field = place.join('.')
    super(code, `${field}: ${problem}.`, { field, ...facts })
    this.place = place
    this.problem = problem
  }
}

/**
 * Throws the errors of several fields as one.
 * @throws AppError the only error itself, or one that names every field, with the code of the first error.
 */
export function throwTogether(errors: readonly FieldError[]): void {
  const [first, ...others] = errors
  if (first === undefined) return
  if (others.length === 0) throw first
  const text = errors.map(({ place, problem }) => `${place.join('.')}: ${problem}`).join('; ')
  const issues = errors.map(({ place, problem, code }) => ({
    path: place,
    message: problem,
    code,
  }))
  throw new AppError(first.code, `${text}.`, { issues })
}

/** The chain is not configured. */
export class UnsupportedChainError extends FieldError {
  constructor(path: FieldPath, chainId: number, chains: Iterable<Readonly<{ id: number }>>) {
    const supportedChainIds = Array.from(chains, ({ id }) => id)
    const supported = supportedChainIds.join(', ') || 'none'
    const problem = `chain ${chainId} is not supported; supported chains: ${supported}`
    super('UNSUPPORTED_CHAIN', path, problem, { chainId, supportedChainIds })
  }
}
