import { exampleMultiOrder, orderOf, usualCurrency } from '#src/gateway/exampleOrders.ts'
import type { ChainSummary, Operations } from '#src/operations/operations.ts'

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
  const multi = exampleMultiOrder(operations)
  if (wanted === undefined || wantedAway === undefined || multi === undefined) return [chainsQuery]
  return [
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

const quoteQuery = (
  input: string,
): string => `# The same to be executed: transactions for a wallet to send as they are.
# Selecting requestId, steps or protocol stores the request first.
query Quote {
  quote(
    input: ${input}
  ) {
    requestId
    steps {
      id
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
): string => `# One swap that several deposits pay for: each origin has a chain and a currency of its own,
# and may name a user of its own.
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
      id
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

const followQuery = `# How a request stands, live: once at once, then at every change until it is done.
# Put in the requestId of a quote, or one that the next tab lists.
subscription Follow {
  requestStatus(
    requestId: "0x${'0'.repeat(64)}"
  ) {
    seq
    status
    failReason
    steps {
      id
      items { ...Seen }
    }
    fill { ...Seen }
    refund { ...Seen }
    currencyOut { amountFormatted currency { symbol chainId } }
  }
}

fragment Seen on Progress {
  status
  transaction { chainId hash blockNumber confirmations }
}
`

const requestsQuery = `# What was quoted with steps, newest first, and what became of it.
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
