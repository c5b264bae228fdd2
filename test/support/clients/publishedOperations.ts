import { parse } from 'graphql'
import { exampleQueries } from '#src/gateway/graphql/explorer/exampleQueries.ts'
import type { Operations } from '#src/operations/operations.ts'
import { codeBlocks } from './documents.ts'

/** A GraphQL operation that we show to users. */
export type PublishedOperation = Readonly<{ name: string; text: string }>

/** The operations of README and docs: their GraphQL blocks, and the queries in their curl commands. */
export function documentedOperations(): readonly PublishedOperation[] {
  const blocks = codeBlocks('graphql').map(({ document, text }) => ({ document, text }))
  const sent = codeBlocks('sh').flatMap(({ document, text }) =>
    [...text.matchAll(/"query":("(?:[^"\\]|\\.)*")/g)].map(([, query = '']) => ({
      document,
      text: JSON.parse(query) as string,
    })),
  )
  return [...blocks, ...sent].map(({ document, text }) => ({
    name: `${document}: ${nameOf(text)}`,
    text,
  }))
}

/** The operations that GraphiQL opens with. */
export const graphiqlOperations = (
  operations: Pick<Operations, 'chains' | 'currencies'>,
): readonly PublishedOperation[] =>
  exampleQueries(operations).map((text) => ({ name: `GraphiQL: ${nameOf(text)}`, text }))

function nameOf(text: string): string {
  const [operation] = parse(text).definitions
  const name = operation !== undefined && 'name' in operation ? operation.name?.value : undefined
  return name ?? text.slice(0, 60)
}
