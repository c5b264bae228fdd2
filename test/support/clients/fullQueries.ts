import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql'
import { createSchema } from '#src/gateway/graphql/schema.ts'

const schema = createSchema()

/** The selection of all fields below a type. */
function allFieldsOf(type: GraphQLNamedType): string {
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields())
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

type Answered = { details: Record<string, unknown>; [key: string]: unknown }

/** The REST answer that corresponds to the GraphQL value. REST omits nulls, and has some fields fewer. */
export function restPriceOf(value: unknown): unknown {
  const { fees, details } = withoutNulls(value)
  const { route: _, ...shared } = details
  return { fees, details: shared }
}

export function restQuoteOf(value: unknown): unknown {
  const { requestId: _, blocks: __, details, ...shared } = withoutNulls(value)
  const parts = details['expandedPriceImpact'] as Record<string, unknown>
  const expandedPriceImpact = { ...parts, relay: parts['service'] }
  return { ...shared, details: { ...details, expandedPriceImpact } }
}

export function restMultiInputOf(value: unknown): unknown {
  const { requestId: _, blocks: __, ...shared } = withoutNulls(value)
  return shared
}

const withoutNulls = (value: unknown): Answered =>
  JSON.parse(JSON.stringify(value), (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).filter(([, member]) => member !== null))
      : each,
  )
