/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  fragment Whole on CurrencyAmount {\n    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }\n    amount\n    amountFormatted\n    amountUsd\n    minimumAmount\n  }\n": typeof types.WholeFragmentDoc,
    "\n  query WholePrice($input: PriceInput!) {\n    price(input: $input) {\n      fees {\n        gas { ...Whole }\n        relayer { amount }\n        relayerGas { amount }\n        relayerService { amount }\n        app { ...Whole }\n        subsidized { amount }\n      }\n      details {\n        operation\n        sender\n        recipient\n        currencyIn { ...Whole }\n        currencyOut { ...Whole }\n        totalImpact { usd percent }\n        swapImpact { usd percent }\n        rate\n        slippageTolerance {\n          origin { usd value percent }\n          destination { usd value percent }\n        }\n        timeEstimate\n        userBalance\n        route {\n          origin { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n          destination { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n        }\n      }\n      blocks { chainId number hash timestamp ageMs }\n    }\n  }\n": typeof types.WholePriceDocument,
    "\n  query RateOnly($input: PriceInput!) {\n    one: price(input: $input) { details { rate } }\n    other: price(input: $input) { details { rate } }\n  }\n": typeof types.RateOnlyDocument,
    "\n  query ToDeposit($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      requestId\n      depositDeadline\n      steps {\n        id\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n    }\n  }\n": typeof types.ToDepositDocument,
    "\n  query IndicativeMultiInput($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      breakdown { value timeEstimate }\n      balances { requiredToSolve }\n      details { rate currencyOut { amount minimumAmount } }\n      blocks { chainId number }\n    }\n  }\n": typeof types.IndicativeMultiInputDocument,
    "\n  query MultiStatus($requestId: RequestId!) {\n    requestStatus(requestId: $requestId) {\n      status\n      failReason\n      refundFailReason\n      inTxHashes\n      txHashes\n      steps { name items { status transaction { chainId hash } } }\n      fill { status transaction { chainId hash } }\n      refund { status }\n      deposits { chainId txHash depositor amount status reason refund { status transaction { chainId } } }\n    }\n  }\n": typeof types.MultiStatusDocument,
    "\n  query ToExecute($input: QuoteInput!) {\n    quote(input: $input) {\n      requestId\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      fees { app { amount } relayer { amount } }\n      details {\n        operation\n        currencyIn { amount }\n        currencyOut { amount minimumAmount }\n        route { origin { includedSwapSources outputCurrency { amount minimumAmount currency { address } } } }\n      }\n      protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }\n    }\n  }\n": typeof types.ToExecuteDocument,
    "\n  query MultiToExecute($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      depositDeadline\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      details { currencyOut { amount minimumAmount } }\n    }\n  }\n": typeof types.MultiToExecuteDocument,
    "\n  query OutputOf($input: PriceInput!) {\n    price(input: $input) {\n      details { currencyOut { amount minimumAmount } }\n      blocks { chainId number hash }\n    }\n  }\n": typeof types.OutputOfDocument,
    "\n  query BalanceOf($one: PriceInput!, $other: PriceInput!, $third: PriceInput!) {\n    one: price(input: $one) { details { userBalance } }\n    other: price(input: $other) { details { userBalance } }\n    third: price(input: $third) { details { userBalance } }\n  }\n": typeof types.BalanceOfDocument,
};
const documents: Documents = {
    "\n  fragment Whole on CurrencyAmount {\n    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }\n    amount\n    amountFormatted\n    amountUsd\n    minimumAmount\n  }\n": types.WholeFragmentDoc,
    "\n  query WholePrice($input: PriceInput!) {\n    price(input: $input) {\n      fees {\n        gas { ...Whole }\n        relayer { amount }\n        relayerGas { amount }\n        relayerService { amount }\n        app { ...Whole }\n        subsidized { amount }\n      }\n      details {\n        operation\n        sender\n        recipient\n        currencyIn { ...Whole }\n        currencyOut { ...Whole }\n        totalImpact { usd percent }\n        swapImpact { usd percent }\n        rate\n        slippageTolerance {\n          origin { usd value percent }\n          destination { usd value percent }\n        }\n        timeEstimate\n        userBalance\n        route {\n          origin { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n          destination { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n        }\n      }\n      blocks { chainId number hash timestamp ageMs }\n    }\n  }\n": types.WholePriceDocument,
    "\n  query RateOnly($input: PriceInput!) {\n    one: price(input: $input) { details { rate } }\n    other: price(input: $input) { details { rate } }\n  }\n": types.RateOnlyDocument,
    "\n  query ToDeposit($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      requestId\n      depositDeadline\n      steps {\n        id\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n    }\n  }\n": types.ToDepositDocument,
    "\n  query IndicativeMultiInput($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      breakdown { value timeEstimate }\n      balances { requiredToSolve }\n      details { rate currencyOut { amount minimumAmount } }\n      blocks { chainId number }\n    }\n  }\n": types.IndicativeMultiInputDocument,
    "\n  query MultiStatus($requestId: RequestId!) {\n    requestStatus(requestId: $requestId) {\n      status\n      failReason\n      refundFailReason\n      inTxHashes\n      txHashes\n      steps { name items { status transaction { chainId hash } } }\n      fill { status transaction { chainId hash } }\n      refund { status }\n      deposits { chainId txHash depositor amount status reason refund { status transaction { chainId } } }\n    }\n  }\n": types.MultiStatusDocument,
    "\n  query ToExecute($input: QuoteInput!) {\n    quote(input: $input) {\n      requestId\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      fees { app { amount } relayer { amount } }\n      details {\n        operation\n        currencyIn { amount }\n        currencyOut { amount minimumAmount }\n        route { origin { includedSwapSources outputCurrency { amount minimumAmount currency { address } } } }\n      }\n      protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }\n    }\n  }\n": types.ToExecuteDocument,
    "\n  query MultiToExecute($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      depositDeadline\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      details { currencyOut { amount minimumAmount } }\n    }\n  }\n": types.MultiToExecuteDocument,
    "\n  query OutputOf($input: PriceInput!) {\n    price(input: $input) {\n      details { currencyOut { amount minimumAmount } }\n      blocks { chainId number hash }\n    }\n  }\n": types.OutputOfDocument,
    "\n  query BalanceOf($one: PriceInput!, $other: PriceInput!, $third: PriceInput!) {\n    one: price(input: $one) { details { userBalance } }\n    other: price(input: $other) { details { userBalance } }\n    third: price(input: $third) { details { userBalance } }\n  }\n": types.BalanceOfDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Whole on CurrencyAmount {\n    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }\n    amount\n    amountFormatted\n    amountUsd\n    minimumAmount\n  }\n"): typeof import('./graphql.ts').WholeFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query WholePrice($input: PriceInput!) {\n    price(input: $input) {\n      fees {\n        gas { ...Whole }\n        relayer { amount }\n        relayerGas { amount }\n        relayerService { amount }\n        app { ...Whole }\n        subsidized { amount }\n      }\n      details {\n        operation\n        sender\n        recipient\n        currencyIn { ...Whole }\n        currencyOut { ...Whole }\n        totalImpact { usd percent }\n        swapImpact { usd percent }\n        rate\n        slippageTolerance {\n          origin { usd value percent }\n          destination { usd value percent }\n        }\n        timeEstimate\n        userBalance\n        route {\n          origin { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n          destination { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }\n        }\n      }\n      blocks { chainId number hash timestamp ageMs }\n    }\n  }\n"): typeof import('./graphql.ts').WholePriceDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query RateOnly($input: PriceInput!) {\n    one: price(input: $input) { details { rate } }\n    other: price(input: $input) { details { rate } }\n  }\n"): typeof import('./graphql.ts').RateOnlyDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ToDeposit($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      requestId\n      depositDeadline\n      steps {\n        id\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n    }\n  }\n"): typeof import('./graphql.ts').ToDepositDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query IndicativeMultiInput($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      breakdown { value timeEstimate }\n      balances { requiredToSolve }\n      details { rate currencyOut { amount minimumAmount } }\n      blocks { chainId number }\n    }\n  }\n"): typeof import('./graphql.ts').IndicativeMultiInputDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MultiStatus($requestId: RequestId!) {\n    requestStatus(requestId: $requestId) {\n      status\n      failReason\n      refundFailReason\n      inTxHashes\n      txHashes\n      steps { name items { status transaction { chainId hash } } }\n      fill { status transaction { chainId hash } }\n      refund { status }\n      deposits { chainId txHash depositor amount status reason refund { status transaction { chainId } } }\n    }\n  }\n"): typeof import('./graphql.ts').MultiStatusDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ToExecute($input: QuoteInput!) {\n    quote(input: $input) {\n      requestId\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      fees { app { amount } relayer { amount } }\n      details {\n        operation\n        currencyIn { amount }\n        currencyOut { amount minimumAmount }\n        route { origin { includedSwapSources outputCurrency { amount minimumAmount currency { address } } } }\n      }\n      protocol { v2 { orderId orderData paymentDetails { chainId depository currency amount } } }\n    }\n  }\n"): typeof import('./graphql.ts').ToExecuteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query MultiToExecute($input: MultiInputQuoteInput!) {\n    multiInputQuote(input: $input) {\n      depositDeadline\n      steps {\n        name\n        requestId\n        items {\n          data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas }\n          check { endpoint method }\n        }\n      }\n      details { currencyOut { amount minimumAmount } }\n    }\n  }\n"): typeof import('./graphql.ts').MultiToExecuteDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OutputOf($input: PriceInput!) {\n    price(input: $input) {\n      details { currencyOut { amount minimumAmount } }\n      blocks { chainId number hash }\n    }\n  }\n"): typeof import('./graphql.ts').OutputOfDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query BalanceOf($one: PriceInput!, $other: PriceInput!, $third: PriceInput!) {\n    one: price(input: $one) { details { userBalance } }\n    other: price(input: $other) { details { userBalance } }\n    third: price(input: $third) { details { userBalance } }\n  }\n"): typeof import('./graphql.ts').BalanceOfDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
