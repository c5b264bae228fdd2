import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'

/** Longest document, in characters. */
export const maxDocumentLength = 32_768

/** Most lexical tokens of a document. */
export const maxTokens = 2_000

/** Validation compares every pair of fragments. */
const maxFragments = 50

/**
 * Limits of one operation. `width` is the number of selections in the widest selection set: validation
 * compares every pair of them. `cost` is the number of fields in the answer, where a field of a list counts
 * once for each item; the limit allows all fields of a page of 100 requests.
 */
const limits = { depth: 12, width: 100, cost: 25_000, aliases: 50, directives: 50 }

type Size = Readonly<typeof limits>

const nothing: Size = { depth: 0, width: 0, cost: 0, aliases: 0, directives: 0 }

/** Assumed length of a list without an `items` extension. A field with `items: 'page'` has as many as its `first`. */
const defaultItems = 5

/** Cost of an introspection field: their answers are long. graphql-js itself limits their depth. */
const introspectionCost = 400

/**
 * The limits that a document exceeds. Checked before validation, which takes longer. The cost of a field is 1,
 * or its `cost` extension. The result depends on the document only, and not on variables, so that it holds
 * whenever the document is sent again: a page whose length is a variable counts as the longest page.
 */
export function documentLimitErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  if (fragments.size > maxFragments)
    return [
      tooComplex(`A document may have at most ${maxFragments} fragments, not ${fragments.size}`),
    ]

  const sizeOf = createMeasure(schema, fragments)
  return document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION) return []
    const size = sizeOf(node.selectionSet, schema.getRootType(node.operation))
    return (Object.keys(limits) as (keyof Size)[])
      .filter((what) => size[what] > limits[what])
      .map((what) =>
        tooComplex(`The operation’s ${what} of ${size[what]} exceeds the limit of ${limits[what]}`),
      )
  })
}

const tooComplex = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } })

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
    return { ...size, directives: size.directives + directives }
  }

  const sizeWithoutDirectives = (
    node: SelectionNode,
    type: GraphQLNamedType | null | undefined,
  ): Size => {
    switch (node.kind) {
      case Kind.FIELD: {
        const aliases = node.alias === undefined ? 0 : 1
        const name = node.name.value
        if (name.startsWith('__')) return { ...nothing, cost: introspectionCost, aliases }
        const field = isObjectType(type) ? type.getFields()[name] : undefined
        const inner = node.selectionSet
          ? measure(node.selectionSet, field && getNamedType(field.type))
          : nothing
        const { cost = 1, items = field ? itemsOf(field.type) : 1 } = field?.extensions ?? {}
        const length = items === 'page' ? pageOf(node, field) : Number(items)
        return {
          ...inner,
          depth: inner.depth + 1,
          cost: Number(cost) + inner.cost * length,
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
  cost: one.cost + other.cost,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
})

/** Longest page of a connection. */
const maxPageLength = 100

/** The length of a page: the literal `first`, else its default. A variable counts as the longest page. */
function pageOf(
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
): number {
  const argument = given.find(({ name }) => name.value === 'first')?.value
  const defaultFirst = field?.args.find(({ name }) => name === 'first')?.defaultValue
  if (argument === undefined) return Number(defaultFirst ?? maxPageLength)
  if (argument.kind !== Kind.INT) return maxPageLength
  return Math.min(Math.max(Number(argument.value), 1), maxPageLength)
}

const itemsOf = (type: GraphQLOutputType): number =>
  isListType(getNullableType(type)) ? defaultItems : 1
