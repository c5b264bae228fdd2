import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  parse,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { LRUCache } from 'lru-cache'
import type { Context } from '#src/gateway/requestContext.ts'

/** A query, or what a subscription asks of each event, compiled to JavaScript; `operation` names it in metrics. */
export type CompiledQuery = Readonly<{
  kind: Kinds
  operation: string
  run: (
    context: Context,
    variables: Readonly<Record<string, unknown>>,
    event?: object,
  ) => ExecutionResult | Promise<ExecutionResult>
}>

type Kinds = 'query' | 'subscription'

/** Compiling takes about as long as 20 executions: who sends a document once does not cause it. */
const compiledFromSighting = 3
const mostDocuments = 500

export type Documents = ReturnType<typeof createDocuments>

/** Remembers which documents were sent and found valid, and compiles those that come again. */
export function createDocuments(schema: GraphQLSchema) {
  const known = new LRUCache<
    string,
    { sightings: number; queries: Map<string | undefined, CompiledQuery | undefined> }
  >({ max: mostDocuments })

  return {
    /** Tells that `text` is a valid document. */
    note: (text: string): void => {
      if (!known.has(text)) known.set(text, { sightings: 1, queries: new Map() })
    },

    /** What is of that kind and name in `text`, or its only operation; `undefined` if it is not for compiling. */
    find: (
      text: string,
      operationName: string | undefined,
      kind: Kinds,
    ): CompiledQuery | undefined => {
      const document = known.get(text)
      if (document === undefined) return undefined
      if (document.sightings < compiledFromSighting) {
        document.sightings += 1
        if (document.sightings < compiledFromSighting) return undefined
      }
      const { queries } = document
      const found = queries.get(operationName)
      if (found !== undefined || queries.has(operationName)) return ofKind(kind, found)
      // Parsed anew, because graphql-jit writes into the document.
      const parsed = parse(text)
      const operation = getOperationAST(parsed, operationName)
      if (!operation) return undefined
      const query =
        operation.operation === 'mutation'
          ? undefined
          : compile(schema, parsed, operationName, operation.operation)
      queries.set(operationName, query)
      return ofKind(kind, query)
    },
  }
}

const ofKind = (kind: Kinds, query: CompiledQuery | undefined): CompiledQuery | undefined =>
  query?.kind === kind ? query : undefined

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | undefined,
  kind: Kinds,
): CompiledQuery | undefined {
  const compiled = compileQuery(schema, document, operationName)
  if (!isCompiledQuery(compiled)) return undefined
  return {
    kind,
    operation: operationLabel(document, operationName),
    run: (context, variables, event) => compiled.query(event, context, variables),
  }
}

/** The root field that an operation asks for, or "several": metrics are kept by it. */
export function operationLabel(document: DocumentNode, operationName: string | undefined): string {
  const selections = getOperationAST(document, operationName)?.selectionSet.selections ?? []
  const names = new Set(
    selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : 'several')),
  )
  const [name = 'none'] = names
  return names.size > 1 ? 'several' : name
}
