import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  Kind,
  type NameNode,
  parse,
  type SelectionSetNode,
  valueFromASTUntyped,
  visit,
} from 'graphql'
import { expect, it } from 'vitest'
import { createDocumentLimits } from '#src/gateway/graphql/execution/documentLimits.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { cannedOperations } from '#test/support/canned/cannedOperations.ts'
import {
  documentedOperations,
  graphiqlOperations,
} from '#test/support/clients/publishedOperations.ts'

const limits = createDocumentLimits(createSchema())

const nameOf = (value: string): NameNode => ({ kind: Kind.NAME, value })
const typename: FieldNode = { kind: Kind.FIELD, name: nameOf('__typename') }

/** The document as clients with a cache send it: with `__typename` in every selection set. */
const withTypenames = (document: DocumentNode): DocumentNode =>
  visit(document, {
    SelectionSet: (set): SelectionSetNode => ({
      ...set,
      selections: [...set.selections, typename],
    }),
  })

/** The document with a variable for each list and each page length, and their values. */
function withVariables(document: DocumentNode) {
  const variables: Record<string, unknown> = {}
  const changed = visit(document, {
    Argument: (argument): ArgumentNode | undefined => {
      const isLength = argument.value.kind === Kind.INT || argument.value.kind === Kind.LIST
      if (!isLength) return undefined
      const variable = `length${Object.keys(variables).length}`
      variables[variable] = valueFromASTUntyped(argument.value)
      return { ...argument, value: { kind: Kind.VARIABLE, name: nameOf(variable) } }
    },
  })
  return { document: changed, variables }
}

const published = [...documentedOperations(), ...graphiqlOperations(cannedOperations)]

it.each(published)('$name stays within the limits when a cache adds fields to it', ({ text }) => {
  const asSent = withTypenames(parse(text))
  const { document, variables } = withVariables(asSent)
  for (const each of [asSent, document]) {
    expect(limits.documentErrors(each)).toEqual([])
    expect(limits.costCheck(each, undefined)(variables)).toEqual([])
  }
})

it('finds all documented operations', () => {
  expect(documentedOperations().length).toBeGreaterThanOrEqual(8)
  expect(graphiqlOperations(cannedOperations).length).toBeGreaterThanOrEqual(8)
})

it('charges a list of held currencies for the balances that it reads', () => {
  const unitsOf = (orderBy: string, variables = {}) => {
    const text = `query ($o: CurrencyOrder) { currencies(first: 1, orderBy: ${orderBy}) { totalCount } }`
    return limits.unitsOf(parse(text), undefined)(variables)
  }
  expect(['NAME', 'HELD', '$o'].map((order) => unitsOf(order))).toEqual([1, 100, 100])
})
