import { type GraphQLNamedType, getNamedType, isObjectType } from 'graphql'
import { createSchema } from '#src/gateway/graphql/schema.ts'

const schema = createSchema()

/** Selects all that there is below a type. */
function everythingOf(type: GraphQLNamedType): string {
  if (!isObjectType(type)) return ''
  const fields = Object.values(type.getFields())
  return `{ ${fields.map(({ name, type }) => `${name} ${everythingOf(getNamedType(type))}`).join(' ')} }`
}

/** A page of requests, with every field of each. */
export const everyRequestField = (first: string): string =>
  `requests(first: ${first}) ${everythingOf(getNamedType(typeOf('requests')))}`

function typeOf(field: string) {
  const type = schema.getQueryType()?.getFields()[field]?.type
  if (type === undefined) throw new Error(`There is no query ${field}`)
  return type
}

function documentOf(field: 'price' | 'quote' | 'multiInputQuote', input: string): string {
  const type = typeOf(field)
  return `query ($input: ${input}!) { ${field}(input: $input) ${everythingOf(getNamedType(type))} }`
}

/** Queries for every field of a price, of a quote and of a multi-input quote. */
export const everything = {
  price: documentOf('price', 'PriceInput'),
  quote: documentOf('quote', 'QuoteInput'),
  multiInputQuote: documentOf('multiInputQuote', 'MultiInputQuoteInput'),
}

type Answered = { details: Record<string, unknown>; [key: string]: unknown }

/** What REST has to say where GraphQL says `value`: null is absent, and some is not told there. */
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
