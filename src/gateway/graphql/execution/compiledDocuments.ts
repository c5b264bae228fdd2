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
import type { RequestContext } from '#src/gateway/requestContext.ts'
import type { DocumentLimits } from './documentLimits.ts'

/** A query, or the selection of a subscription, compiled to JavaScript. `operation` is its name in metrics. */
export type CompiledQuery = Readonly<{
  kind: CompiledKind
  operation: string
  /** Whether the operation stays within the cost limit with these variables. */
  isAffordable: (variables: Readonly<Record<string, unknown>>) => boolean
  /** Units that the operation costs of its client's rate limit. */
  unitsOf: (variables: Readonly<Record<string, unknown>>) => number
  run: (
    context: RequestContext,
    variables: Readonly<Record<string, unknown>>,
    event?: object,
  ) => ExecutionResult | Promise<ExecutionResult>
}>

type CompiledKind = 'query' | 'subscription'

/**
 * A document is compiled when it is sent this many times. Compiling costs about 20 executions, which a client
 * must not be able to cause with documents that it sends once.
 */
const compileAtCount = 3
const maxDocuments = 500
/**
 * Compiling takes 0.02 to 0.06 ms for a selection, and 1 ms for a variable: larger operations would delay others. Four
 * prices with all their amounts have 604 selections.
 */
const maxSelections = 650
const maxVariables = 8

export type CompiledDocuments = ReturnType<typeof createCompiledDocuments>

/** Counts the valid documents that clients send, and compiles documents that are sent repeatedly. */
export function createCompiledDocuments(schema: GraphQLSchema, limits: DocumentLimits) {
  const known = new LRUCache<
    string,
    { count: number; queries: Map<string | undefined, CompiledQuery | undefined> }
  >({ max: maxDocuments })

  return {
    /** Records a document that has passed validation. */
    addValid: (text: string): void => {
      if (!known.has(text)) known.set(text, { count: 1, queries: new Map() })
    },

    /**
     * The compiled operation of a document: the one named `operationName`, or the only one. `undefined` if the
     * document is not compiled, or the operation is large or of another kind.
     */
    findCompiled: (
      text: string,
      operationName: string | undefined,
      kind: CompiledKind,
    ): CompiledQuery | undefined => {
      const document = known.get(text)
      if (document === undefined) return undefined
      if (document.count < compileAtCount) {
        document.count += 1
        if (document.count < compileAtCount) return undefined
      }
      const { queries } = document
      const found = queries.get(operationName)
      if (found !== undefined || queries.has(operationName)) return ofKind(kind, found)
      // Parsed again, because graphql-jit modifies the document.
      const parsed = parse(text)
      const operation = getOperationAST(parsed, operationName)
      if (!operation) return undefined
      const isLarge =
        limits.selectionsOf(parsed, operation) > maxSelections ||
        (operation.variableDefinitions?.length ?? 0) > maxVariables
      const query =
        isLarge || operation.operation === 'mutation'
          ? undefined
          : compile({ schema, limits }, parsed, operationName, operation.operation)
      queries.set(operationName, query)
      return ofKind(kind, query)
    },
  }
}

const ofKind = (kind: CompiledKind, query: CompiledQuery | undefined): CompiledQuery | undefined =>
  query?.kind === kind ? query : undefined

function compile(
  { schema, limits }: Readonly<{ schema: GraphQLSchema; limits: DocumentLimits }>,
  document: DocumentNode,
  operationName: string | undefined,
  kind: CompiledKind,
): CompiledQuery | undefined {
  const check = limits.costCheck(document, operationName)
  const unitsOf = limits.unitsOf(document, operationName)
  const compiled = compileQuery(schema, document, operationName)
  if (!isCompiledQuery(compiled)) return undefined
  return {
    kind,
    operation: operationLabel(document, operationName),
    isAffordable: (variables) => check(variables).length === 0,
    unitsOf,
    run: (context, variables, event) => compiled.query(event, context, variables),
  }
}

/** The root field of an operation, for metrics; "several" if it has more than one, "none" without any. */
export function operationLabel(document: DocumentNode, operationName: string | undefined): string {
  const selections = getOperationAST(document, operationName)?.selectionSet.selections ?? []
  const names = new Set(
    selections.map((node) => (node.kind === Kind.FIELD ? node.name.value : 'several')),
  )
  const [name = 'none'] = names
  return names.size > 1 ? 'several' : name
}
