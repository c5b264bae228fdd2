import { AppError, type ErrorCode } from '#src/errors.ts'

/** What zod, or another Standard Schema, says of one field. */
export type Issue = Readonly<{
  message: string
  path?: readonly (PropertyKey | Readonly<{ key: PropertyKey }>)[] | undefined
  /** Our schemas name a code where the protocol has one for the field. */
  params?: Readonly<{ code?: ErrorCode }> | undefined
  /** What zod found too much in an object. */
  keys?: readonly string[]
}>

/** A wrong value may be long and may stand there many times: what is said of it need not be. */
const longestMessage = 300
const mostIssues = 50

/**
 * Names every bad field: INVALID_REQUEST with `issues`, each with its path in the input. One bad
 * field alone keeps the code that the protocol has for it, such as INVALID_ADDRESS.
 */
export function invalidRequest(issues: readonly Issue[]): AppError {
  const named = issues.slice(0, mostIssues).flatMap(({ path = [], message, keys }) => {
    const at = path.map((part) => {
      const key = typeof part === 'object' ? part.key : part
      return typeof key === 'number' ? key : String(key)
    })
    if (keys) return keys.map((key) => ({ path: [...at, key], message: 'No such field' }))
    return [{ path: at, message: toPlainMessage(message) }]
  })
  const [first] = issues
  const code = (issues.length === 1 && first?.params?.code) || 'INVALID_REQUEST'
  const text = named
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
  return new AppError(code, text, { issues: named })
}

/** zod speaks of `undefined`, which neither GraphQL nor JSON knows. */
function toPlainMessage(message: string): string {
  if (/received undefined$/.test(message)) return 'Required'
  return message.length > longestMessage ? `${message.slice(0, longestMessage)}…` : message
}
