import { type GraphQLNamedType, getNamedType, isObjectType, isRequiredArgument } from 'graphql'
import { createSchema } from '#src/gateway/graphql/schema.ts'

const schema = createSchema()

/** The selection of all fields below a type, except those with a required argument. */
function allFieldsOf(type: GraphQLNamedType): string {
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields()).filter(
    ({ args }) => !args.some(isRequiredArgument),
  )
  return `{ ${fields.map(({ name, type }) => `${name} ${allFieldsOf(getNamedType(type))}`).join(' ')} }`
}

/** A selection of a page of requests with all their fields. */
export const everyRequestField = (first: string): string =>
  `requests(first: ${first}) ${allFieldsOf(getNamedType(typeOf('requests')))}`

function typeOf(field: string) {
  const type = schema.getQueryType()?.getFields()[field]?.type
  if (type === undefined) throw new Error(`There is no query ${field}`)
  return type
}

function documentOf(field: 'price' | 'quote' | 'multiInputQuote', input: string): string {
  const type = typeOf(field)
  return `query ($input: ${input}!) { ${field}(input: $input) ${allFieldsOf(getNamedType(type))} }`
}

/** Queries that select every field of a price, a quote and a multi-input quote. */
export const fullQueries = {
  price: documentOf('price', 'PriceInput'),
  quote: documentOf('quote', 'QuoteInput'),
  multiInputQuote: documentOf('multiInputQuote', 'MultiInputQuoteInput'),
}

/**
 * For each subscription: a document that selects all of its fields and takes its arguments as variables of the same
 * names.
 */
export const fullSubscriptions: Readonly<Record<string, string>> = Object.fromEntries(
  Object.values(schema.getSubscriptionType()?.getFields() ?? {}).map(({ name, args, type }) => {
    const variables = args.map((each) => `$${each.name}: ${each.type}`).join(', ')
    const passed = args.map((each) => `${each.name}: $${each.name}`).join(', ')
    const selection = allFieldsOf(getNamedType(type))
    return [name, `subscription (${variables}) { ${name}(${passed}) ${selection} }`]
  }),
)

type Answered = { details: Record<string, unknown>; [key: string]: unknown }

/** The REST answer that corresponds to the GraphQL value. REST omits nulls, global ids and some other fields. */
export function restPriceOf(value: unknown): unknown {
  const { fees, details, warnings, blocks } = toRest(value)
  const { route: _, ...shared } = details
  return { fees, ...totalFeesIn(value), details: shared, warnings, blocks }
}

/** In REST the sum of the fees is apart from them: clients take every member of `fees` for an amount. */
function totalFeesIn(value: unknown) {
  const { totalUsd } = (value as { fees: { totalUsd: string | null } }).fees
  return totalUsd === null ? {} : { totalFeesUsd: totalUsd }
}

export function restQuoteOf(value: unknown): unknown {
  const { requestId: _, calls: ____, details, issues, ...shared } = toRest(value)
  const parts = details['expandedPriceImpact'] as Record<string, unknown>
  const expandedPriceImpact = { ...parts, relay: parts['service'] }
  const { gas: _____, ...lacks } = issues as Record<string, unknown>
  return {
    ...shared,
    ...totalFeesIn(value),
    issues: restLacksOf(lacks),
    details: { ...details, expandedPriceImpact },
  }
}

export function restMultiInputOf(value: unknown): unknown {
  const { requestId: _, calls: __, issues, ...shared } = toRest(value)
  const { origins } = issues as { origins: Record<string, unknown>[] }
  return { ...shared, issues: origins.map(restLacksOf) }
}

/** In REST a missing amount has the address and the chain of its currency. */
const restLacksOf = (issues: Record<string, unknown>): unknown =>
  Object.fromEntries(
    Object.entries(issues).map(([name, issue]) => {
      if (typeof issue !== 'object') return [name, issue]
      const { currency, ...amounts } = issue as { currency: Record<string, unknown> }
      const { chainId, address } = currency
      return [name, { ...amounts, chainId, currency: address }]
    }),
  )

/**
 * In REST the name of a step is its `id`, a deposit without a deposit address has an empty one, currencies have no
 * price, fees no sum, and routes omit their pools.
 */
const toRest = (value: unknown): Answered =>
  JSON.parse(JSON.stringify(value), (_, each) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return each
    const {
      id,
      priceUsd: __,
      supportsPermit: ___,
      paths: ____,
      totalUsd: _____,
      ...fields
    } = each as Record<string, unknown>
    const members = Object.entries(fields).filter(([, member]) => member !== null)
    if (typeof id !== 'string' || !id.startsWith('Step:')) return Object.fromEntries(members)
    const { name, ...step } = Object.fromEntries(members)
    const unnamed = name === 'DEPOSIT' && { depositAddress: '' }
    return { ...unnamed, ...step, id: String(name).toLowerCase() }
  })
