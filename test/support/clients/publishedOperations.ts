import { parse } from 'graphql'
import { exampleQueries } from '#src/gateway/graphql/explorer/exampleQueries.ts'
import type { Service } from '#src/service/service.ts'
import { codeBlocks } from './documents.ts'

/** A GraphQL operation of the documents. */
export type PublishedOperation = Readonly<{
  name: string
  text: string
  variables: Readonly<Record<string, unknown>>
}>

/** The operations of README and docs: their GraphQL blocks, and the queries in their curl commands. */
export function documentedOperations(): readonly PublishedOperation[] {
  const blocks = codeBlocks('graphql').map((block) => ({ ...block, variables: {} }))
  const sent = codeBlocks('sh').flatMap(({ document, text }) =>
    [...text.matchAll(/"query":("(?:[^"\\]|\\.)*")(?:,\s*"variables":(\{[^']*\})\}'$)?/gm)].map(
      ([, query = '', variables = '{}']) => ({
        document,
        text: JSON.parse(query) as string,
        variables: JSON.parse(variables) as Record<string, unknown>,
      }),
    ),
  )
  return [...blocks, ...sent].map(({ document, text, variables }) => ({
    name: `${document}: ${nameOf(text)}`,
    text,
    variables,
  }))
}

/** The operations that GraphiQL opens with. */
export const graphiqlOperations = (
  operations: Pick<Service, 'chains' | 'currencies'>,
): readonly PublishedOperation[] =>
  exampleQueries(operations).map((text) => ({
    name: `GraphiQL: ${nameOf(text)}`,
    text,
    variables: {},
  }))

function nameOf(text: string): string {
  const [operation] = parse(text).definitions
  const name = operation !== undefined && 'name' in operation ? operation.name?.value : undefined
  return name ?? text.slice(0, 60)
}
