import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionNode,
} from 'graphql'

/** The root field of a valid subscription, which may be in a fragment; `undefined` if there is no such operation. */
export function subscribedField(
  document: DocumentNode,
  operationName: string | null | undefined,
): FieldNode | undefined {
  const operation = getOperationAST(document, operationName)
  if (!operation) return undefined
  return rootSelections(document, operation).find((node) => node.kind === Kind.FIELD)
}

/**
 * Errors for conditions at the root of a document's subscriptions: a subscription without its field has no events, and
 * graphql-js fails on some of them without a message.
 * @source https://spec.graphql.org/September2025/#sec-Single-Root-Field
 */
export const conditionalRootErrors = (document: DocumentNode): readonly GraphQLError[] =>
  document.definitions.flatMap((node) =>
    node.kind === Kind.OPERATION_DEFINITION && node.operation === OperationTypeNode.SUBSCRIPTION
      ? rootSelections(document, node).flatMap(conditionsOf)
      : [],
  )

const conditionsOf = ({ directives = [] }: SelectionNode): readonly GraphQLError[] =>
  directives
    .filter(({ name }) => name.value === 'skip' || name.value === 'include')
    .map(
      (node) =>
        new GraphQLError(
          `The field of a subscription cannot have a condition: leave out @${node.name.value}`,
          { nodes: [node] },
        ),
    )

/** The root selections of the operation, including those of its fragments. */
function rootSelections(
  { definitions }: DocumentNode,
  { selectionSet }: OperationDefinitionNode,
): readonly SelectionNode[] {
  const found = [...selectionSet.selections]
  const spread = new Set<string>()
  for (const node of found) {
    if (node.kind === Kind.INLINE_FRAGMENT) found.push(...node.selectionSet.selections)
    if (node.kind !== Kind.FRAGMENT_SPREAD || spread.has(node.name.value)) continue
    spread.add(node.name.value)
    for (const each of definitions)
      if (each.kind === Kind.FRAGMENT_DEFINITION && each.name.value === node.name.value)
        found.push(...each.selectionSet.selections)
  }
  return found
}
