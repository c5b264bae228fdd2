import {
  type ASTVisitor,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLOutputType,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql'

/** Longest document that is read, in characters. */
export const longestDocument = 32_768

/** Most lexical tokens of a document: graphql-js compares fields with each other, squared. */
export const mostTokens = 2_000

/** What one operation may ask for; `cost` counts fields, those of a list once for each item. */
const most = { depth: 12, cost: 10_000, aliases: 50, directives: 50 }

type Size = Readonly<typeof most>

const nothing: Size = { depth: 0, cost: 0, aliases: 0, directives: 0 }

/** Length of a list whose field does not give it in its `items` extension. */
const usualItems = 5

/** Introspection answers are long, while graphql-js itself limits how deep they go. */
const introspectionCost = 200

/**
 * Refuses operations that ask for too much. A field's own cost is 1, or what its `cost` extension
 * says. The verdict hangs on the document alone, with lists at their longest whatever the variables
 * say, so that it holds for every execution of a document that is kept.
 */
export function limitsRule(context: ValidationContext): ASTVisitor {
  const schema = context.getSchema()
  const fragments = new Map<string, Size>()

  const sizeOfSet = (
    set: SelectionSetNode | undefined,
    type: GraphQLNamedType | null | undefined,
  ): Size => (set?.selections ?? []).reduce((sum, node) => add(sum, sizeOf(node, type)), nothing)

  const sizeOf = (node: SelectionNode, type: GraphQLNamedType | null | undefined): Size => {
    const directives = node.directives?.length ?? 0
    switch (node.kind) {
      case Kind.FIELD: {
        const name = node.name.value
        if (name.startsWith('__')) return { ...nothing, cost: introspectionCost, directives }
        const field = isObjectType(type) ? type.getFields()[name] : undefined
        const inner = sizeOfSet(node.selectionSet, field && getNamedType(field.type))
        const { cost = 1, items = field ? itemsOf(field.type) : 1 } = field?.extensions ?? {}
        return {
          depth: inner.depth + 1,
          cost: Number(cost) + inner.cost * Number(items),
          aliases: inner.aliases + (node.alias === undefined ? 0 : 1),
          directives: inner.directives + directives,
        }
      }
      case Kind.INLINE_FRAGMENT: {
        const condition = node.typeCondition?.name.value
        const inner = sizeOfSet(node.selectionSet, condition ? schema.getType(condition) : type)
        return add(inner, { ...nothing, directives })
      }
      case Kind.FRAGMENT_SPREAD:
        return add(sizeOfFragment(node.name.value), { ...nothing, directives })
    }
  }

  const sizeOfFragment = (name: string): Size => {
    const known = fragments.get(name)
    if (known !== undefined) return known
    // Ends the recursion of a fragment in itself, which another rule refuses.
    fragments.set(name, nothing)
    const fragment = context.getFragment(name)
    const type = fragment && schema.getType(fragment.typeCondition.name.value)
    const size = sizeOfSet(fragment?.selectionSet, type)
    fragments.set(name, size)
    return size
  }

  return {
    OperationDefinition(operation) {
      const type = schema.getRootType(operation.operation)
      const size = add(sizeOfSet(operation.selectionSet, type), {
        ...nothing,
        directives: operation.directives?.length ?? 0,
      })
      for (const [what, limit] of Object.entries(most) as [keyof Size, number][]) {
        if (size[what] <= limit) continue
        const message = `The operation's ${what} of ${size[what]} exceeds the limit of ${limit}`
        context.reportError(
          new GraphQLError(message, {
            nodes: operation,
            extensions: { code: 'QUERY_TOO_COMPLEX' },
          }),
        )
      }
    },
  }
}

const add = (one: Size, other: Size): Size => ({
  depth: Math.max(one.depth, other.depth),
  cost: one.cost + other.cost,
  aliases: one.aliases + other.aliases,
  directives: one.directives + other.directives,
})

const itemsOf = (type: GraphQLOutputType): number =>
  isListType(getNullableType(type)) ? usualItems : 1
