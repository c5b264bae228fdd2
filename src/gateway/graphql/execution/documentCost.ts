import {
  type ArgumentNode,
  type FieldNode,
  type GraphQLField,
  getNullableType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import { units } from '#src/gateway/limits/units.ts'

/**
 * The cost of a selection, as a sum of terms. A term is a number of points, times the length of every list whose length
 * is a variable. The document is thus measured once, and its cost is known for any variables.
 */
export type Cost = ReadonlyMap<string, Term>

type Term = Readonly<{ points: number; lengths: readonly VariableLength[] }>

/** A list whose length a variable gives: the integer, or the number of items. `otherwise` is for null. */
type VariableLength = Readonly<{
  variable: string
  /** The key of the list, if the variable is an object. */
  key?: string | undefined
  otherwise: number
}>

type Length = number | VariableLength

/** Cost of `__schema` and `__type`: their answers are long. */
const introspectionCost = 600

/** Assumed length of a list without an `items` extension. */
const defaultItems = 5

/** Longest list that a client can ask for. */
const maxLength = 100

export const noCost: Cost = new Map()

export const addCosts = (one: Cost, other: Cost): Cost => {
  const sum = new Map(one)
  for (const [key, term] of other)
    sum.set(key, { ...term, points: term.points + (sum.get(key)?.points ?? 0) })
  return sum
}

/**
 * The cost of a field whose selection costs `inner`. The extensions of the field set it:
 * - `cost`, points for the field itself. Default: 1; nothing for `__typename`, which clients with a cache select
 * everywhere.
 * - `itemCost`, points for each item of its list. Default: 0.
 * - `items`, the length of its list: a number, or the argument that gives it, as a page length or as a list of inputs.
 */
export function costOfField(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  inner: Cost,
): Cost {
  const name = node.name.value
  if (name === '__typename') return noCost
  if (name.startsWith('__')) return points(introspectionCost)
  const { cost = 1, itemCost = 0 } = field?.extensions ?? {}
  const perItem = addCosts(inner, points(Number(itemCost)))
  return addCosts(points(Number(cost)), times(perItem, lengthOf(node, field)))
}

/**
 * Units of the rate limit that a field costs, with a selection that costs `inner`. The extensions of the field set it:
 * - `units`, for the field itself. Default: 0.
 * - `itemUnits`, for each item, in addition to the selection. Default: 0.
 * - `unitItems`, else `items`: the argument that gives the number of items, such as `input.origins`.
 * - `choice`, more units if an argument has a value. A variable counts as that value.
 */
export function unitsOfField(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  inner: Cost,
): Cost {
  const name = node.name.value
  if (name === '__typename') return noCost
  if (name.startsWith('__')) return points(units.introspection)
  const { units: own = 0, itemUnits = 0, unitItems, items, choice } = field?.extensions ?? {}
  const perItem = addCosts(inner, points(Number(itemUnits)))
  const argument = unitItems ?? items
  const all =
    typeof argument === 'string' ? times(perItem, givenLength(node, field, argument)) : perItem
  return addCosts(points(Number(own) + unitsOfChoice(node, choice)), all)
}

export type Choice = Readonly<{ argument: string; value: string; units: number }>

function unitsOfChoice({ arguments: given = [] }: FieldNode, choice: unknown): number {
  if (choice === undefined) return 0
  const { argument, value: chosen, units: more } = choice as Choice
  const value = given.find(({ name }) => name.value === argument)?.value
  const isChosen =
    value?.kind === Kind.VARIABLE || (value?.kind === Kind.ENUM && value.value === chosen)
  return isChosen ? more : 0
}

/** The points of an operation with the variables that a client sent. Without variables: with lists of one item. */
export function pointsOf(
  cost: Cost,
  sent?: Readonly<{
    operation: OperationDefinitionNode
    variables: Readonly<Record<string, unknown>>
  }>,
): number {
  let sum = 0
  for (const { points, lengths } of cost.values())
    sum += lengths.reduce(
      (product, { variable, key, otherwise }) =>
        sent === undefined
          ? product
          : product *
            countOf(
              memberOf(variableValue(sent.operation, variable, sent.variables), key),
              otherwise,
            ),
      points,
    )
  return sum
}

/** Whether the cost is the same for all variables. */
export const isFixed = (cost: Cost): boolean =>
  [...cost.values()].every(({ lengths }) => lengths.length === 0)

const points = (count: number): Cost => new Map([['', { points: count, lengths: [] }]])

function times(cost: Cost, length: Length): Cost {
  const terms = [...cost.values()].map(
    ({ points, lengths }): Term =>
      typeof length === 'number'
        ? { points: points * length, lengths }
        : { points, lengths: [...lengths, length] },
  )
  return new Map(terms.map((term) => [keyOf(term), term]))
}

const keyOf = ({ lengths }: Term): string =>
  lengths
    .map(({ variable, key, otherwise }) => `${variable}.${key}:${otherwise}`)
    .sort()
    .join()

function lengthOf(node: FieldNode, field: GraphQLField<unknown, unknown> | undefined): Length {
  const { items } = field?.extensions ?? {}
  if (typeof items === 'string') return givenLength(node, field, items)
  if (items !== undefined) return Number(items)
  return field && isListType(getNullableType(field.type)) ? defaultItems : 1
}

/** The length that an argument gives: its default, its literal, or its variable. */
function givenLength(
  { arguments: given = [] }: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  path: string,
): Length {
  const [argument, key] = path.split('.')
  const byDefault = field?.args.find(({ name }) => name === argument)?.defaultValue
  const otherwise = Number(byDefault ?? maxLength)
  const value = given.find(({ name }) => name.value === argument)?.value
  if (value === undefined) return otherwise
  if (value.kind === Kind.VARIABLE) return { variable: value.name.value, key, otherwise }
  if (key === undefined || value.kind !== Kind.OBJECT) return countOf(literalOf(value), otherwise)
  const member = value.fields.find(({ name }) => name.value === key)?.value
  if (member?.kind === Kind.VARIABLE) return { variable: member.name.value, otherwise }
  return countOf(member && literalOf(member), otherwise)
}

const memberOf = (value: unknown, key: string | undefined): unknown =>
  key === undefined || typeof value !== 'object' || value === null
    ? value
    : (value as Readonly<Record<string, unknown>>)[key]

/** A literal. Variables inside a list count as items. */
const literalOf = (value: ArgumentNode['value']): unknown =>
  value.kind === Kind.LIST ? value.values : valueFromASTUntyped(value)

/** The length that a value asks for. Values that are no length count as 1, because execution refuses them. */
function countOf(value: unknown, otherwise: number): number {
  if (value === undefined || value === null) return otherwise
  if (Array.isArray(value)) return Math.min(value.length, maxLength)
  if (typeof value !== 'number' || !Number.isInteger(value)) return 1
  return Math.min(Math.max(value, 1), maxLength)
}

/** The value of a variable, or its default in the operation. */
function variableValue(
  { variableDefinitions = [] }: OperationDefinitionNode,
  name: string,
  variables: Readonly<Record<string, unknown>>,
): unknown {
  const sent = variables[name]
  if (sent !== undefined) return sent
  const definition = variableDefinitions.find(({ variable }) => variable.name.value === name)
  return definition?.defaultValue && literalOf(definition.defaultValue)
}
