import type { ChainSummary, Operations } from '#src/operations/operations.ts'
import type { Currency } from '#src/units/currency.ts'

/** The first account of every anvil chain: on the devnet it holds some of everything. */
const exampleUser = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'

/**
 * Queries for GraphiQL to open with, on the chains and currencies that this gateway serves. They
 * carry their arguments in themselves: it drops the variables of the first tab.
 */
export function exampleQueries(operations: Pick<Operations, 'chains' | 'currencies'>): string[] {
  const [home, ...others] = operations.chains()
  if (home === undefined) return [chainsQuery]
  const away = others[0] ?? home
  const { nativeCurrency } = home
  const [wanted, wantedAway] = [home, away].map((chain) => usualCurrency(operations, chain))
  if (wanted === undefined || wantedAway === undefined) return [chainsQuery]
  return [
    crossChainQuery(inputOf(nativeCurrency, wantedAway, 'EXACT_INPUT', wholeUnit(nativeCurrency))),
    exactOutputQuery(inputOf(nativeCurrency, wanted, 'EXACT_OUTPUT', wholeUnit(wanted))),
    currenciesQuery(home),
    chainsQuery,
  ]
}

const wholeUnit = ({ decimals }: Currency): bigint => 10n ** BigInt(decimals)

/** What people swap into: USDC, else any ERC-20 that is listed, else the native currency. */
function usualCurrency(operations: Pick<Operations, 'currencies'>, chain: ChainSummary): Currency {
  const listed = operations
    .currencies({ chainIds: [chain.id], verified: true })
    .filter(({ metadata }) => !metadata.isNative)
  return listed.find(({ symbol }) => symbol === 'USDC') ?? listed[0] ?? chain.nativeCurrency
}

const inputOf = (from: Currency, to: Currency, tradeType: string, amount: bigint): string => `{
      user: "${exampleUser}"
      originChainId: ${from.chainId}
      originCurrency: "${from.address}"
      destinationChainId: ${to.chainId}
      destinationCurrency: "${to.address}"
      amount: "${amount}"
      tradeType: ${tradeType}
    }`

const crossChainQuery = (
  input: string,
): string => `# The price of a swap from one chain into another.
# Only what you select is worked out.
query CrossChain {
  price(
    input: ${input}
  ) {
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

const exactOutputQuery = (
  input: string,
): string => `# What has to be paid in for exactly this output, on one chain,
# and what the user holds: the one field that is read from the chain.
query ExactOutput {
  price(
    input: ${input}
  ) {
    details {
      userBalance
      currencyIn { amount amountFormatted amountUsd currency { symbol } }
      currencyOut { amount amountFormatted amountUsd currency { symbol } }
      swapImpact { usd percent }
      route { origin { router includedSwapSources } }
    }
    fees { gas { amountFormatted amountUsd } }
  }
}
`

const currenciesQuery = ({
  id,
}: ChainSummary): string => `# Currencies by symbol or name, a page at a time.
query Currencies {
  currencies(chainIds: [${id}], term: "usd", first: 10) {
    totalCount
    edges {
      node { chainId address symbol name decimals metadata { verified isNative } }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`

const chainsQuery = `# The chains, and the blocks that prices follow from.
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
