import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { GraphQLError, parse, validate } from 'graphql'
import { reasonOf } from '#src/core/errors.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'

/**
 * Reads the operator's file of trusted documents: a JSON object of documents by id, as code generators write it.
 * @throws Error that names every bad entry: not a text, invalid in the schema, or with the SHA-256 hash of another
 * document as its id.
 */
export function readTrustedDocuments(path: string): ReadonlyMap<string, string> {
  const documents = readEntries(path)
  const schema = createSchema()
  const problems = documents.flatMap(([id, text]) => {
    const problem = problemOf(schema, id, text)
    return problem === undefined ? [] : [`  ${id}: ${problem}`]
  })
  if (problems.length > 0)
    throw new Error(`The trusted documents of ${path} are not valid:\n${problems.join('\n')}`)
  return new Map(documents.map(([id, text]) => [id, String(text)]))
}

function readEntries(path: string): [string, unknown][] {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Error(`The trusted documents of ${path} cannot be read: ${reasonOf(error)}`)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(
      `The trusted documents of ${path} must be a JSON object of documents by their ids`,
    )
  return Object.entries(value)
}

function problemOf(
  schema: ReturnType<typeof createSchema>,
  id: string,
  text: unknown,
): string | undefined {
  if (typeof text !== 'string') return 'must be the text of a document'
  if (/^[0-9a-f]{64}$/.test(id) && createHash('sha256').update(text).digest('hex') !== id)
    return 'is not the SHA-256 hash of its document'
  try {
    return validate(schema, parse(text))[0]?.message
  } catch (error) {
    if (error instanceof GraphQLError) return error.message
    throw error
  }
}
