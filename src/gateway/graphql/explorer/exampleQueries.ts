import {
  type Catalogue,
  exampleMultiOrder,
  orderOf,
  usualCurrency,
} from '#src/gateway/exampleOrders.ts'
import type { ChainSummary } from '#src/service/chains.ts'

/**
 * The queries of GraphiQL's first tabs, for the configured chains and currencies. Their arguments are literals, because
 * GraphiQL drops the variables of the first tab.
 */
export function exampleQueries(operations: Catalogue): string[] {
  const [home, ...others] = operations.chains()
  if (home === undefined) return [chainsQuery]
  const away = others[0] ?? home
  const { nativeCurrency } = home
  const [wanted, wantedAway] = [home, away].map((chain) => usualCurrency(operations, chain))
  const multi = exampleMultiOrder(operations)
  if (wanted === undefined || wantedAway === undefined || multi === undefined) return [chainsQuery]
  return [
    livePriceQuery(inputOf(orderOf(nativeCurrency, wantedAway, 'EXACT_INPUT'))),
    crossChainQuery(inputOf(orderOf(nativeCurrency, wantedAway, 'EXACT_INPUT'))),
    quoteQuery(inputOf(orderOf(nativeCurrency, wantedAway, 'EXACT_INPUT'))),
    multiInputQuery(multi),
    followQuery,
    requestsQuery,
    exactOutputQuery(inputOf(orderOf(nativeCurrency, wanted, 'EXACT_OUTPUT'))),
    currenciesQuery(home),
    chainsQuery,
  ]
}

const inputOf = (order: ReturnType<typeof orderOf>): string => `{
      user: "${order.user}"
      originChainId: ${order.originChainId}
      originCurrency: "${order.originCurrency}"
      destinationChainId: ${order.destinationChainId}
      destinationCurrency: "${order.destinationCurrency}"
      amount: "${order.amount}"
      tradeType: ${order.tradeType}
    }`

const livePriceQuery = (
  input: string,
): string => `# A live price: at once, then whenever a block of either chain changes it.
subscription LivePrice {
  price(
    input: ${input}
  ) {
    price {
      details {
        rate
        currencyOut { amountFormatted amountUsd currency { symbol chainId } }
      }
      fees { gas { amountUsd } relayer { amountUsd } }
    }
    failure { code message }
    blocks { chainId number timestamp }
  }
}
`

const crossChainQuery = (input: string): string => `# The price of a swap from one chain to another.
# Only selected fields are computed.
query CrossChain {
  price(
    input: ${input}
  ) {
    details {
      operation
      currencyIn { ...Value }
      currencyOut { ...Value minimumAmount }
      rate
      timeEstimate
      totalImpact { usd percent }
      route {
        origin { router outputCurrency { ...Value } }
        destination { router inputCurrency { ...Value } }
      }
    }
    fees {
      gas { ...Value }
      relayer { ...Value }
    }
    blocks { chainId number timestamp }
  }
}

fragment Value on CurrencyAmount {
  amountFormatted
  amountUsd
  currency { symbol chainId }
}
`

const quoteQuery = (
  input: string,
): string => `# The same swap as a quote: transactions that a wallet can send as they are.
# Selecting requestId, steps or protocol stores a request.
query Quote {
  quote(
    input: ${input}
  ) {
    requestId
    steps {
      name
      description
      items {
        data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
        check { method endpoint }
      }
    }
    details {
      currencyOut { amountFormatted minimumAmount currency { symbol } }
      expandedPriceImpact { swap { usd } execution { usd } service { usd } app { usd } }
    }
    protocol { v2 { orderId paymentDetails { depository currency amount } } }
  }
}
`

type MultiOrder = NonNullable<ReturnType<typeof exampleMultiOrder>>

const multiInputQuery = (
  order: MultiOrder,
): string => `# One swap, paid for by several deposits. Each origin has its own chain and currency,
# and optionally its own user.
query MultiInputQuote {
  multiInputQuote(
    input: {
      user: "${order.user}"
      origins: [
${order.origins.map(originOf).join('\n')}
      ]
      destinationChainId: ${order.destinationChainId}
      destinationCurrency: "${order.destinationCurrency}"
      tradeType: ${order.tradeType}
      partial: true
    }
  ) {
    requestId
    depositDeadline
    steps {
      name
      description
      items {
        data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }
        check { method endpoint }
      }
    }
    breakdown { value timeEstimate }
    balances { userBalance requiredToSolve }
    details {
      currencyIn { amountFormatted currency { symbol chainId } }
      currencyOut { amountFormatted minimumAmount currency { symbol chainId } }
    }
  }
}
`

const originOf = ({ chainId, currency, amount }: MultiOrder['origins'][number]): string =>
  `        { chainId: ${chainId}, currency: "${currency}", amount: "${amount}" }`

/** Placeholder that the page replaces by the newest request. */
export const noRequestId = `0x${'0'.repeat(64)}`

const followQuery = `# The status of a request, live: the current state, then every change until a terminal status.
# This is the newest request when the page was opened. The next tab lists others.
subscription Follow {
  requestStatus(
    requestId: "${noRequestId}"
  ) {
    seq
    status
    failReason
    steps {
      name
      items { ...Transaction }
    }
    fill { ...Transaction }
    refund { ...Transaction }
    currencyOut { amountFormatted currency { symbol chainId } }
  }
}

fragment Transaction on Progress {
  status
  transaction { chainId hash blockNumber confirmations }
}
`

const requestsQuery = `# Requests, newest first. A quote with steps creates a request.
query Requests {
  requests(first: 5) {
    edges {
      node {
        requestId
        status
        failReason
        currencyIn { amountFormatted currency { symbol chainId } }
        currencyOut { amountFormatted currency { symbol chainId } }
        txHashes
      }
    }
    pageInfo { hasNextPage endCursor }
  }
}
`

const exactOutputQuery = (input: string): string => `# The input for an exact output, on one chain.
# userBalance is the only field that needs an RPC call.
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

const currenciesQuery = ({ id }: ChainSummary): string => `# Currencies by symbol or name, in pages.
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

const chainsQuery = `# The chains, and the blocks that prices are computed from.
query Chains {
  chains {
    chainId
    displayName
    nativeCurrency { symbol }
    swapSources
    head { number timestamp pools baseFeePerGas }
  }
}
`
