import { type DocumentNode, Kind, visit } from 'graphql'

/**
 * Removes the lists of a field from an answer in JSON, so that answers can be compared without them. The items of these
 * lists must contain neither lists nor text with brackets.
 */
export type WithoutLists = (json: string) => string

/** Subscribers with the same document share the compiled function. */
const compiled = new WeakMap<DocumentNode, Map<string, WithoutLists | undefined>>()

/**
 * Compiles the function for a document, in which the field may have aliases. `undefined` if another field has the same
 * key, because the JSON does not distinguish them.
 */
export function withoutLists(document: DocumentNode, field: string): WithoutLists | undefined {
  const known = compiled.get(document) ?? new Map<string, WithoutLists | undefined>()
  compiled.set(document, known)
  if (!known.has(field)) known.set(field, compile(document, field))
  return known.get(field)
}

function compile(document: DocumentNode, field: string): WithoutLists | undefined {
  const keys = new Set<string>()
  const others = new Set<string>()
  visit(document, {
    [Kind.FIELD]: ({ name, alias }) => {
      const key = alias?.value ?? name.value
      if (name.value === field) keys.add(key)
      else others.add(key)
    },
  })
  if ([...keys].some((key) => others.has(key))) return undefined
  if (keys.size === 0) return (json) => json
  // Quotation marks inside a text follow a backslash, so they begin no key.
  const lists = new RegExp(`"(?:${[...keys].join('|')})":\\[[^\\]]*\\]`, 'g')
  return (json) => json.replace(lists, '')
}
