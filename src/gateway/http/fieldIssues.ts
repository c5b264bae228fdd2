import { AppError, type ErrorCode, type ErrorData } from '#src/core/errors.ts'
import { FieldError, type FieldPath } from '#src/service/input/fieldError.ts'

/** One bad field of an input. */
export type FieldIssue = Readonly<{ path: FieldPath; message: string; code: ErrorCode }>

/** The data of an error as callers receive it. `issues` names every field at fault, even a single one. */
export function dataOf(error: AppError): ErrorData {
  const issues = issuesOf(error)
  return { ...error.data, ...(issues.length > 0 && { issues }) }
}

/** Several issues are in `data.issues`. A single one is in the error itself or in `data.field`. */
export function issuesOf(error: AppError): readonly FieldIssue[] {
  const { code, message, data } = error
  const several = data?.['issues']
  if (Array.isArray(several))
    return (several as SentIssue[]).map((issue) => ({
      path: issue.path,
      message: issue.message,
      code: issue.code ?? code,
    }))
  if (error instanceof FieldError) return [{ path: error.place, message: error.problem, code }]
  const field = data?.['field']
  return typeof field === 'string' ? [{ path: pathOf(field), message, code }] : []
}

type SentIssue = Readonly<{ path: FieldPath; message: string; code?: ErrorCode }>

const pathOf = (field: string): FieldPath =>
  field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))

/** One bad field, as zod or another Standard Schema reports it. */
export type Issue = Readonly<{
  message: string
  path?: readonly (PropertyKey | Readonly<{ key: PropertyKey }>)[] | undefined
  /** The error code of the field, if the protocol defines one. */
  params?: Readonly<{ code?: ErrorCode }> | undefined
  /** Unknown fields of an object. */
  keys?: readonly string[]
}>

/** Bounds of the answer: a message may quote a long value, and a list may repeat the same mistake many times. */
const maxMessageLength = 300
const maxIssues = 50

/**
 * An error that names every bad field: INVALID_REQUEST with `issues`, each with the path of its field. If there is only
 * one issue, the error takes the code of that field, such as INVALID_ADDRESS. Paths start inside the argument `root`.
 */
export function invalidRequest(issues: readonly Issue[], root?: string): AppError {
  const all = issues.slice(0, maxIssues).flatMap(({ path = [], message, keys, params }) => {
    const whole = path.map((part) => {
      const key = typeof part === 'object' ? part.key : part
      return typeof key === 'number' ? key : String(key)
    })
    const at = root !== undefined && whole[0] === root ? whole.slice(1) : whole
    if (keys)
      return keys
        .slice(0, maxIssues)
        .map((key) => ({ path: [...at, key], message: 'Unknown field' }))
    const code = params?.code
    return [{ path: at, message: toPlainMessage(message), ...(code !== undefined && { code }) }]
  })
  const named = all.slice(0, maxIssues)
  const [first] = issues
  const code = (issues.length === 1 && first?.params?.code) || 'INVALID_REQUEST'
  const text = named
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
  return new AppError(code, text, { issues: named })
}

/** Shortens long messages, and rewrites those about `undefined`, which neither GraphQL nor JSON has. */
function toPlainMessage(message: string): string {
  if (/received undefined$/.test(message)) return 'Required'
  return message.length > maxMessageLength ? `${message.slice(0, maxMessageLength)}…` : message
}
