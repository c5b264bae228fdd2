// Every GraphQL document of the page. Editors and code generators find them by the comment.

const currency = /* GraphQL */ `
  fragment CurrencyParts on Currency { chainId address symbol name decimals metadata { logoURI verified } }
`

const amount = /* GraphQL */ `
  fragment AmountParts on CurrencyAmount {
    currency { ...CurrencyParts }
    amount
    amountFormatted
    amountUsd
    minimumAmount
  }
  ${currency}
`

const price = /* GraphQL */ `
  fragment PriceParts on Price {
    details {
      operation
      currencyIn { ...AmountParts }
      currencyOut { ...AmountParts }
      rate
      timeEstimate
      totalImpact { usd percent }
      swapImpact { usd percent }
      route {
        origin { ...LegParts }
        destination { ...LegParts }
      }
    }
    fees {
      gas { ...AmountParts }
      relayer { ...AmountParts }
      relayerGas { ...AmountParts }
      relayerService { ...AmountParts }
      app { ...AmountParts }
    }
    warnings { code message data }
  }
  fragment LegParts on RouteLeg {
    inputCurrency { ...AmountParts }
    outputCurrency { ...AmountParts }
    paths {
      share
      hops {
        pool
        poolId
        swapSource
        feePips
        outputAddress
        outputCurrency { symbol decimals }
        outputAmount
        depth
      }
    }
  }
  ${amount}
`

const progress = /* GraphQL */ `
  fragment ProgressParts on Progress {
    status
    transaction { chainId hash explorerUrl blockNumber confirmations }
  }
`

const paid = /* GraphQL */ `
  fragment PaidParts on PaidAmount {
    chainId
    amountFormatted
    currency { symbol decimals }
    txHash
    explorerUrl
    claimable
  }
`

const request = /* GraphQL */ `
  fragment RequestParts on RequestStatus {
    requestId
    status
    failReason
    quoteCreatedAtMs
    originChainId
    destinationChainId
    currencyIn { chainId amountFormatted currency { symbol } }
    currencyOut { chainId amountFormatted currency { symbol } }
    paid { ...PaidParts }
  }
  ${paid}
`

export const chainsDocument = /* GraphQL */ `
  query Chains {
    chains {
      chainId
      vmType
      displayName
      explorerUrl
      rpcUrl
      disabled
      nativeCurrency { ...CurrencyParts }
      solverCurrencies { currency { ...CurrencyParts } }
    }
  }
  ${currency}
`

export const currenciesDocument = /* GraphQL */ `
  query Currencies($chainIds: [ChainId!], $term: String, $user: Address!, $hasUser: Boolean!) {
    currencies(chainIds: $chainIds, term: $term, orderBy: SOLVER, first: 60) {
      edges { node { ...CurrencyParts balance(user: $user) @include(if: $hasUser) } }
    }
  }
  ${currency}
`

export const currencyDocument = /* GraphQL */ `
  query Currency($chainId: ChainId!, $address: Address!) {
    currency(chainId: $chainId, address: $address) { ...CurrencyParts }
  }
  ${currency}
`

export const livePriceDocument = /* GraphQL */ `
  subscription LivePrice($input: PriceInput!) {
    price(input: $input) {
      price { ...PriceParts }
      failure { code message data }
    }
  }
  ${price}
`

export const curveDocument = /* GraphQL */ `
  query Curve($inputs: [PriceInput!]!) {
    prices(inputs: $inputs) {
      ... on Price { details { totalImpact { percent } swapImpact { percent } } }
    }
  }
`

export const headDocument = /* GraphQL */ `
  subscription Head($chainId: ChainId!) {
    chainHead(chainId: $chainId) { number }
  }
`

export const balanceDocument = /* GraphQL */ `
  query Balance($chainId: ChainId!, $address: Address!, $user: Address!) {
    currency(chainId: $chainId, address: $address) { balance(user: $user) }
  }
`

export const supportsPermitDocument = /* GraphQL */ `
  query SupportsPermit($chainId: ChainId!, $address: Address!) {
    currency(chainId: $chainId, address: $address) { supportsPermit }
  }
`

export const indexDocument = /* GraphQL */ `
  mutation Index($chainId: ChainId!, $txHash: Hex!, $requestId: RequestId!) {
    indexTransaction(chainId: $chainId, txHash: $txHash, requestId: $requestId)
  }
`

export const blockhashDocument = /* GraphQL */ `
  query Blockhash($chainId: ChainId!) {
    chain(chainId: $chainId) { head { hash } }
  }
`

export const quoteDocument = /* GraphQL */ `
  query Quote($input: QuoteInput!) {
    quote(input: $input) {
      requestId
      steps {
        action
        description
        signature { kind typedData }
        items { data { from to data value chainId maxFeePerGas maxPriorityFeePerGas } }
        svmTransaction {
          chainId
          payer
          instructions { programId keys { pubkey isSigner isWritable } data }
        }
      }
      details { currencyIn { ...AmountParts } currencyOut { ...AmountParts } }
    }
  }
  ${amount}
`

export const permitDocument = /* GraphQL */ `
  mutation Permit($requestId: RequestId!, $kind: PermitKind!, $signature: Hex!) {
    executePermit(requestId: $requestId, kind: $kind, signature: $signature) { message }
  }
`

export const statusDocument = /* GraphQL */ `
  subscription Follow($requestId: RequestId!) {
    requestStatus(requestId: $requestId) {
      ...RequestParts
      seq
      refundFailReason
      steps { description items { ...ProgressParts } }
      fill { ...ProgressParts }
      refund { ...ProgressParts paid { ...PaidParts } }
    }
  }
  ${progress}
  ${request}
`

export const requestsDocument = /* GraphQL */ `
  query Requests($user: Address!) {
    requests(user: $user, first: 8, status: [depositing, pending, submitted, success, failure, refund]) {
      edges { node { ...RequestParts } }
    }
  }
  ${request}
`
