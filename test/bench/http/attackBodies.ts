import type { MultiOrder, Order } from '#src/core/pricing/order.ts'
import type { MultiInputQuoteInput, PriceInput } from '#test/generated/graphql.ts'

const details = 'details { rate currencyOut { amount } }'

/** The order as the input of `price`. */
export const inputOf = ({ user, origin, destination, amount, tradeType }: Order): PriceInput => ({
  user,
  originChainId: origin.chainId,
  originCurrency: origin.address,
  destinationChainId: destination.chainId,
  destinationCurrency: destination.address,
  amount: `${amount}`,
  tradeType,
})

/** The request body of one price. */
export const priceBody = (order: Order): string =>
  JSON.stringify({
    query: `query ($input: PriceInput!) { price(input: $input) { ${details} } }`,
    variables: { input: inputOf(order) },
  })

/** The request body of `prices`. */
export const pricesBody = (orders: readonly Order[]): string =>
  JSON.stringify({
    query: `query ($inputs: [PriceInput!]!) { prices(inputs: $inputs) { ... on Price { ${details} } } }`,
    variables: { inputs: orders.map(inputOf) },
  })

/** The request body of a document with an alias of `price` for each order. */
export function aliasesBody(orders: readonly Order[]): string {
  const variables = orders.map((_, at) => `$input${at}: PriceInput!`)
  const fields = orders.map((_, at) => `price${at}: price(input: $input${at}) { ${details} }`)
  return JSON.stringify({
    query: `query (${variables.join(', ')}) { ${fields.join(' ')} }`,
    variables: Object.fromEntries(orders.map((order, at) => [`input${at}`, inputOf(order)])),
  })
}

export function multiInputBody({ user, origins, destination }: MultiOrder): string {
  const input: MultiInputQuoteInput = {
    user,
    origins: origins.map(({ currency, amount }) => ({
      chainId: currency.chainId,
      currency: currency.address,
      amount: `${amount}`,
    })),
    destinationChainId: destination.chainId,
    destinationCurrency: destination.address,
    tradeType: 'EXACT_INPUT',
  }
  const query = `query ($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { ${details} } }`
  return JSON.stringify({ query, variables: { input } })
}
