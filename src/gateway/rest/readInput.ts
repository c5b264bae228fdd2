import type { z } from 'zod'
import { AppError } from '#src/core/errors.ts'
import { parseBody } from '#src/gateway/http/body.ts'
import { invalidRequest } from '#src/gateway/http/invalidRequest.ts'
import type { RestRoute } from './restRoute.ts'

/**
 * Reads and validates the input of a request. GraphQL validates with the same schemas.
 * @throws AppError that names every bad field.
 */
export function readInput(
  { method, input, queryFields = [] }: RestRoute,
  url: string,
  body: string | undefined,
): z.output<RestRoute['input']> {
  const value =
    method === 'GET'
      ? readQuery(url)
      : { ...readObject(body ?? ''), ...fieldsIn(readQuery(url), queryFields) }
  const parsed = input.safeParse(value)
  if (!parsed.success) throw invalidRequest(parsed.error.issues)
  return parsed.data
}

const fieldsIn = (query: ReturnType<typeof readQuery>, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (name in query ? [[name, query[name]]] : [])))

/** A repeated parameter becomes a list, which every schema refuses. */
function readQuery(url: string): Readonly<Record<string, string | string[]>> {
  const mark = url.indexOf('?')
  const parameters = new URLSearchParams(mark === -1 ? '' : url.slice(mark))
  const names = [...new Set(parameters.keys())]
  return Object.fromEntries(
    names.map((name) => {
      const values = parameters.getAll(name)
      return [name, values.length === 1 && values[0] !== undefined ? values[0] : values]
    }),
  )
}

function readObject(text: string): object {
  const value = parseBody(text)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  const message = 'The body must be a JSON object'
  throw new AppError('INVALID_REQUEST', message, { issues: [{ path: [], message }] })
}
