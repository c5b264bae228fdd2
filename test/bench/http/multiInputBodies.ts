import type { MultiInputQuoteInput, PriceInput } from '#test/generated/graphql.ts'
import type { Stack } from '#test/support/gateways/stack.ts'

/**
 * Input currencies with their minimum amounts, worth about fifty dollars. Amounts go up to twenty times the
 * minimum.
 */
const currencies: [symbol: string, least: number][] = [
  ['ETH', 2e16],
  ['USDC', 5e7],
  ['USDT', 5e7],
  ['DAI', 5e19],
  ['WBTC', 1e5],
  ['ACORN', 2e20],
]

const amounts = `
  fragment A on CurrencyAmount {
    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }
    amount amountFormatted amountUsd minimumAmount
  }
`

const fields = `
  fees { gas { ...A } relayer { ...A } relayerGas { ...A } relayerService { ...A } app { ...A } subsidized { ...A } }
  details {
    operation sender recipient rate timeEstimate
    currencyIn { ...A } currencyOut { ...A }
    totalImpact { usd percent } swapImpact { usd percent }
    slippageTolerance { origin { usd value percent } destination { usd value percent } }
  }
`

const together = `query Together($input: MultiInputQuoteInput!) { multiInputQuote(input: $input) { ${fields} breakdown { value timeEstimate } } } ${amounts}`

const apart = (count: number): string => {
  const places = Array.from({ length: count }, (_, at) => at)
  const variables = places.map((at) => `$input${at}: PriceInput!`).join(', ')
  const prices = places.map((at) => `price${at}: price(input: $input${at}) { ${fields} }`)
  return `query Apart(${variables}) { ${prices.join('\n')} } ${amounts}`
}

type Origin = MultiInputQuoteInput['origins'][number]

/**
 * Request bodies for orders with `count` origins, spread over all chains. All amounts differ. Each order exists
 * as one multi-input quote, and as one price per origin.
 */
export function multiInputBodies({ devnet, currencyOn }: Stack, origins: number, orders: number) {
  const { accounts, chains } = devnet.description
  const [, destination] = chains
  if (destination === undefined) throw new Error('The devnet has no two chains')
  const to = {
    destinationChainId: destination.id,
    destinationCurrency: currencyOn(destination.id, 'USDC'),
    tradeType: 'EXACT_INPUT',
  } as const
  const payers = accounts.flatMap(({ address: user }) =>
    chains.flatMap(({ id }) =>
      currencies
        .filter(([symbol]) => id !== destination.id || symbol !== 'USDC')
        .map(([symbol, least]) => ({ user, chainId: id, currency: currencyOn(id, symbol), least })),
    ),
  )
  const quotes = Array.from({ length: orders }, (_, order) => {
    const chosen = Array.from({ length: origins }, (_, at): Origin => {
      // Consecutive origins differ in currency and chain, and no two origins of an order are the same.
      const payer = payers[(7 * (order * origins + at)) % payers.length]
      if (payer === undefined) throw new Error('The devnet has no accounts')
      const { least, ...rest } = payer
      return { ...rest, amount: BigInt(Math.floor(least * 20 ** Math.random())).toString() }
    })
    return { user: payers[0]?.user ?? '', origins: chosen, ...to }
  })
  return {
    together: quotes.map((input) => JSON.stringify({ query: together, variables: { input } })),
    apart: quotes.map((input) =>
      JSON.stringify({ query: apart(origins), variables: pricesOf(input) }),
    ),
  }
}

const pricesOf = ({ origins, user, ...to }: MultiInputQuoteInput) =>
  Object.fromEntries(
    origins.map(({ chainId, currency, amount, user: payer }, at): [string, PriceInput] => [
      `input${at}`,
      { ...to, user: payer ?? user, originChainId: chainId, originCurrency: currency, amount },
    ]),
  )
