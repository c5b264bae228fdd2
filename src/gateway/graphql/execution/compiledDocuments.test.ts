import { expect, it } from 'vitest'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { createCompiledDocuments } from './compiledDocuments.ts'
import { createDocumentLimits } from './documentLimits.ts'

const schema = createSchema()
const documents = createCompiledDocuments(schema, createDocumentLimits(schema))

/** Whether a document is compiled once it has been sent often enough. */
function isCompiled(text: string): boolean {
  documents.addValid(text)
  return [1, 2, 3].some(() => documents.findCompiled(text, undefined, 'query') !== undefined)
}

const chains = (count: number) =>
  Array.from({ length: count }, (_, at) => `chains${at}: chains { ...F }`).join(' ')
const fragment = 'fragment F on Chain { id name }'

it('compiles small operations only, because compiling a large one would delay others', () => {
  const withVariables = (count: number): string => {
    const names = Array.from({ length: count }, (_, at) => `$yes${at}`)
    const uses = names.map((name, at) => `f${at}: chains { id @include(if: ${name}) }`)
    return `query (${names.map((name) => `${name}: Boolean!`).join(', ')}) { ${uses.join(' ')} }`
  }
  expect(isCompiled(`{ ${chains(150)} } ${fragment}`)).toBe(true)
  expect(isCompiled(`{ ${chains(170)} } ${fragment}`)).toBe(false)
  expect([8, 9].map((count) => isCompiled(withVariables(count)))).toEqual([true, false])
})
