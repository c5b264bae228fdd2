import { type DocumentNode, Kind, visit } from 'graphql'

/**
 * Leaves the lists of a field out of an answer in JSON, so that two answers can be compared without them. Their items hold
 * neither lists nor text with brackets.
 */
export type WithoutLists = (json: string) => string

/** Subscribers with the same document share what is compiled. */
const compiled = new WeakMap<DocumentNode, Map<string, WithoutLists | undefined>>()

/**
 * Compiles it for the document of the answers: the field may have aliases. `undefined` where another field has one of its keys,
 * which the text does not tell apart.
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
  // In the text of a value a quotation mark follows a backslash: it begins no key.
  const lists = new RegExp(`"(?:${[...keys].join('|')})":\\[[^\\]]*\\]`, 'g')
  return (json) => json.replace(lists, '')
}
