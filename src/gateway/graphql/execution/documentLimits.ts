import {
  type DocumentNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { unitsOfPoints } from '#src/gateway/limits/units.ts'
import {
  addCosts,
  type Cost,
  costOfField,
  isFixed,
  noCost,
  pointsOf,
  unitsOfField,
} from './documentCost.ts'

/** Longest document, in characters. */
export const maxDocumentLength = 32_768

/** Maximum number of lexical tokens of a document. */
export const maxTokens = 2_000

/** Validation compares every pair of fragments. */
const maxFragments = 50

/**
 * Limits of one operation. `width` is the number of selections in the widest selection set: validation compares every
 * pair of them. `cost` is the number of fields in the answer, where a field of a list counts once for each item; the
 * limit allows all fields of a page of 100 requests. `selections` counts the selections of a fragment each time that it
 * is spread, as graphql-jit does, and free ones too.
 */
const limits = {
  depth: 12,
  width: 100,
  cost: 42_000,
  selections: 42_000,
  aliases: 50,
  directives: 50,
}

type Limit = keyof typeof limits

/** `units` are those of the client's rate limit. */
type Size = Readonly<Record<Exclude<Limit, 'cost'>, number> & { cost: Cost; units: Cost }>

const nothing: Size = {
  depth: 0,
  width: 0,
  cost: noCost,
  units: noCost,
  selections: 0,
  aliases: 0,
  directives: 0,
}

type Variables = Readonly<Record<string, unknown>>

/** Checks documents against the limits. */
export type DocumentLimits = ReturnType<typeof createDocumentLimits>

/** A document is measured once, even if it is sent often. */
export function createDocumentLimits(schema: GraphQLSchema) {
  const known = new WeakMap<DocumentNode, ReadonlyMap<OperationDefinitionNode, Size>>()
  const sizesOf = (document: DocumentNode) => {
    const sizes = known.get(document) ?? measureOperations(schema, document)
    known.set(document, sizes)
    return sizes
  }

  return {
    /**
     * The limits that a document exceeds with any variables. Checked before validation, which takes longer. It
     * depends on the document only, so that it holds whenever the document is sent again.
     */
    documentErrors: (document: DocumentNode): GraphQLError[] => {
      const fragments = fragmentsOf(document).size
      if (fragments > maxFragments)
        return [
          tooComplex(`A document may have at most ${maxFragments} fragments, not ${fragments}`),
        ]
      return [...sizesOf(document).values()].flatMap(({ cost, units: _, ...size }) =>
        errorsOf({ ...size, cost: pointsOf(cost) }),
      )
    },

    /** The selections of an operation, with those of its fragments. */
    selectionsOf: (document: DocumentNode, operation: OperationDefinitionNode): number =>
      sizesOf(document).get(operation)?.selections ?? 0,

    /** Units of the client's rate limit that an operation costs with the variables of a request, at least 1. */
    unitsOf: (
      document: DocumentNode,
      operationName: string | undefined,
    ): ((variables: Variables) => number) => {
      const operation = getOperationAST(document, operationName)
      const size = operation ? sizesOf(document).get(operation) : undefined
      if (!operation || size === undefined) return () => 1
      const { units, cost } = size
      return (variables) => {
        const sent = { operation, variables }
        return Math.max(1, pointsOf(units, sent), unitsOfPoints(pointsOf(cost, sent)))
      }
    },

    /** Returns the check of an operation’s cost with the variables of a request. */
    costCheck: (
      document: DocumentNode,
      operationName: string | undefined,
    ): ((variables: Variables) => readonly GraphQLError[]) => {
      const operation = getOperationAST(document, operationName)
      const cost = operation ? sizesOf(document).get(operation)?.cost : undefined
      if (!operation || cost === undefined || isFixed(cost)) return () => []
      return (variables) => errorsOf({ cost: pointsOf(cost, { operation, variables }) })
    },
  }
}

function errorsOf(size: Partial<Record<Limit, number>>): GraphQLError[] {
  return (Object.keys(limits) as Limit[]).flatMap((what) => {
    const measured = size[what] ?? 0
    const message = `The operation’s ${what} of ${measured} exceeds the limit of ${limits[what]}`
    return measured > limits[what] ? [tooComplex(message)] : []
  })
}

const tooComplex = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } })

function fragmentsOf(document: DocumentNode): ReadonlyMap<string, FragmentDefinitionNode> {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  return fragments
}

function measureOperations(
  schema: GraphQLSchema,
  document: DocumentNode,
): ReadonlyMap<OperationDefinitionNode, Size> {
  const sizeOf = createMeasure(schema, fragmentsOf(document))
  return new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.OPERATION_DEFINITION
        ? [[node, sizeOf(node.selectionSet, schema.getRootType(node.operation))] as const]
        : [],
    ),
  )
}

/** The size of a selection set on `type`, with its fragments. Fields of an unknown type have no extensions. */
type Measure = (set: SelectionSetNode, type: GraphQLNamedType | null | undefined) => Size

function createMeasure(
  schema: GraphQLSchema,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): Measure {
  const known = new Map<string, Size>()

  const measure: Measure = (set, type) => {
    const sum = set.selections.map((node) => sizeOf(node, type)).reduce(add, nothing)
    return { ...sum, width: Math.max(sum.width, set.selections.length) }
  }

  const sizeOf = (node: SelectionNode, type: GraphQLNamedType | null | undefined): Size => {
    const directives = node.directives?.length ?? 0
    const size = sizeWithoutDirectives(node, type)
    return {
      ...size,
      selections: size.selections + 1,
      directives: size.directives + directives,
    }
  }

  const sizeWithoutDirectives = (
    node: SelectionNode,
    type: GraphQLNamedType | null | undefined,
  ): Size => {
    switch (node.kind) {
      case Kind.FIELD: {
        const aliases = node.alias === undefined ? 0 : 1
        const name = node.name.value
        // graphql-js itself limits the depth of introspection.
        if (name.startsWith('__'))
          return {
            ...nothing,
            cost: costOfField(node, undefined, noCost),
            units: unitsOfField(node, undefined, noCost),
            aliases,
          }
        const hasFields = isObjectType(type) || isInterfaceType(type)
        const field = hasFields ? type.getFields()[name] : undefined
        const inner = node.selectionSet
          ? measure(node.selectionSet, field && getNamedType(field.type))
          : nothing
        return {
          ...inner,
          depth: inner.depth + 1,
          cost: costOfField(node, field, inner.cost),
          units: unitsOfField(node, field, inner.units),
          aliases: inner.aliases + aliases,
        }
      }
      case Kind.INLINE_FRAGMENT: {
        const condition = node.typeCondition?.name.value
        return measure(node.selectionSet, condition ? schema.getType(condition) : type)
      }
      case Kind.FRAGMENT_SPREAD:
        return sizeOfFragment(node.name.value)
    }
  }

  const sizeOfFragment = (name: string): Size => {
    const fragment = fragments.get(name)
    const size = known.get(name)
    if (fragment === undefined || size !== undefined) return size ?? nothing
    // Ends the recursion of a fragment that contains itself, which validation refuses later.
    known.set(name, nothing)
    const found = measure(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value))
    known.set(name, found)
    return found
  }

  return measure
}

const add = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  width: Math.max(one.width, other.width),
  cost: addCosts(one.cost, other.cost),
  units: addCosts(one.units, other.units),
  selections: one.selections + other.selections,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
})
