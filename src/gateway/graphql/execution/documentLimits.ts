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

/** Longest document that is read, in characters. */
export const longestDocument = 32_768

/** Most lexical tokens of a document. */
export const mostTokens = 2_000

/** Validation compares the fields of every two fragments with each other. */
const mostFragments = 50

/**
 * What one operation may ask for. `width` is that of its widest selection set, whose fields
 * validation compares with each other; `cost` counts fields, those of a list once for each item: enough
 * for all that there is of a page of 100 requests.
 */
const most = { depth: 12, width: 100, cost: 25_000, aliases: 50, directives: 50 }

type Size = Readonly<typeof most>

const nothing: Size = { depth: 0, width: 0, cost: 0, aliases: 0, directives: 0 }

/** Length of a list whose field does not give it in its `items` extension. A `page` is as long as its `first` says. */
const usualItems = 5

/** Introspection answers are long, while graphql-js itself limits how deep they go. */
const introspectionCost = 400

/**
 * Why a document asks for too much, if it does: looked at before anything that takes longer. A
 * field's own cost is 1, or its `cost` extension. The verdict hangs on the document alone, with lists
 * at their longest whatever the variables say, so that it holds whenever the document comes again: a page that is
 * to be shorter says so by a number, not by a variable.
 */
export function limitErrors(schema: GraphQLSchema, document: DocumentNode): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>()
  for (const node of document.definitions)
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node)
  if (fragments.size > mostFragments)
    return [tooComplex(`A document has at most ${mostFragments} fragments, not ${fragments.size}`)]

  const sizeOf = createMeasure(schema, fragments)
  return document.definitions.flatMap((node) => {
    if (node.kind !== Kind.OPERATION_DEFINITION) return []
    const size = sizeOf(node.selectionSet, schema.getRootType(node.operation))
    return (Object.keys(most) as (keyof Size)[])
      .filter((what) => size[what] > most[what])
      .map((what) =>
        tooComplex(`The operation’s ${what} of ${size[what]} exceeds the limit of ${most[what]}`),
      )
  })
}

const tooComplex = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'QUERY_TOO_COMPLEX' } })

/** What a selection set on `type` asks for, fragments included; an unknown type has no fields. */
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
    // Ends the recursion of a fragment in itself, which validation refuses.
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
const longestPage = 100

/** What a document says itself of `first`, else what it is by default; of a variable it may be anything. */
function pageOf(
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
): number {
  const argument = given.find(({ name }) => name.value === 'first')?.value
  const usual = field?.args.find(({ name }) => name === 'first')?.defaultValue
  if (argument === undefined) return Number(usual ?? longestPage)
  if (argument.kind !== Kind.INT) return longestPage
  return Math.min(Math.max(Number(argument.value), 1), longestPage)
}

const itemsOf = (type: GraphQLOutputType): number =>
  isListType(getNullableType(type)) ? usualItems : 1
