import type { ChainSummary, Operations } from '#src/operations/operations.ts'
import type { Currency } from '#src/units/currency.ts'

/** A tab of GraphiQL. */
type Tab = Readonly<{ query: string; variables?: string }>

/** The first account of every anvil chain: on the devnet it holds some of everything. */
const exampleUser = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/** Queries to begin with, on the chains and currencies that this gateway serves. */
export function exampleTabs(operations: Pick<Operations, 'chains' | 'currencies'>): Tab[] {
  const [home, ...others] = operations.chains()
  if (home === undefined) return [{ query: chainsQuery }]
  const away = others[0] ?? home
  const { nativeCurrency } = home
  const paid = { originChainId: home.id, originCurrency: nativeCurrency.address }
  return [
    {
      query: crossChainQuery,
      variables: json({
        input: {
          user: exampleUser,
          ...paid,
          destinationChainId: away.id,
          destinationCurrency: usualCurrency(operations, away).address,
          amount: wholeUnit(nativeCurrency),
          tradeType: 'EXACT_INPUT',
        },
      }),
    },
    {
      query: sameChainQuery,
      variables: json({
        input: {
          user: exampleUser,
          ...paid,
          destinationChainId: home.id,
          destinationCurrency: usualCurrency(operations, home).address,
          amount: wholeUnit(usualCurrency(operations, home)),
          tradeType: 'EXACT_OUTPUT',
        },
      }),
    },
    { query: currenciesQuery, variables: json({ chainIds: [home.id], term: 'usd' }) },
    { query: chainsQuery },
  ]
}

const json = (variables: object): string => JSON.stringify(variables, undefined, 2)

const wholeUnit = ({ decimals }: Currency): string => (10n ** BigInt(decimals)).toString()

/** What people swap into: a currency named like a dollar, else any that is listed, else the native. */
function usualCurrency(operations: Pick<Operations, 'currencies'>, chain: ChainSummary): Currency {
  const listed = operations
    .currencies({ chainIds: [chain.id], verified: true })
    .filter(({ metadata }) => !metadata.isNative)
  return listed.find(({ symbol }) => symbol === 'USDC') ?? listed[0] ?? chain.nativeCurrency
}

const crossChainQuery = `# Prices from one chain into another. Only what you select is worked out:
# add \`userBalance\` to \`details\` and it is read from the chain.
query CrossChainPrice($input: PriceInput!) {
  price(input: $input) {
    details {
      operation
      currencyIn { ...Shown }
      currencyOut { ...Shown minimumAmount }
      rate
      timeEstimate
      totalImpact { usd percent }
      route {
        origin { router outputCurrency { ...Shown } }
        destination { router inputCurrency { ...Shown } }
      }
    }
    fees {
      gas { ...Shown }
      relayer { ...Shown }
    }
    blocks { chainId number timestamp }
  }
}

fragment Shown on CurrencyAmount {
  amountFormatted
  amountUsd
  currency { symbol chainId }
}
`

const sameChainQuery = `# What has to be paid in for exactly this output, on one chain.
query ExactOutput($input: PriceInput!) {
  price(input: $input) {
    details {
      operation
      currencyIn { amount amountFormatted amountUsd currency { symbol } }
      currencyOut { amount amountFormatted amountUsd currency { symbol } }
      slippageTolerance { destination { percent value } }
      swapImpact { usd percent }
      route { origin { router includedSwapSources } }
    }
    fees { gas { amountFormatted amountUsd } }
  }
}
`

const currenciesQuery = `# Currencies by name or symbol, a page at a time.
query Currencies($chainIds: [ChainId!], $term: String, $after: String) {
  currencies(chainIds: $chainIds, term: $term, first: 10, after: $after) {
    totalCount
    edges {
      node { chainId address symbol name decimals metadata { verified isNative } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`

const chainsQuery = `# The chains, and the block that prices follow from.
query Chains {
  chains {
    id
    displayName
    nativeCurrency { symbol }
    swapSources
    head { number timestamp pools baseFeePerGas }
  }
}
`
