/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A fee for the frontend: a share of the input. */
export type AppFeeInput = {
  /** Share of the input in basis points, "0" to "9999"; "50" is 0.5%. */
  fee: string;
  /** Account that receives the fee. */
  recipient: string;
};

/** An EIP-7702 authorization. */
export type AuthorizationInput = {
  /** Contract whose code the account delegates to; the zero address ends its delegation. */
  address: string;
  /** EIP-155 id of the chain of the transaction: the destination chain of a quote. 0 if the authorization holds on every chain. */
  chainId: number;
  /** Nonce of the signing account: the number of transactions that it has sent before. */
  nonce: number;
  /** `r` of the ECDSA signature: an integer of up to 32 bytes, as 0x and hexadecimal digits. */
  r: string;
  /** `s` of the ECDSA signature, in the lower half of the curve’s order: an integer of up to 32 bytes, as 0x and hexadecimal digits. */
  s: string;
  /** Parity of the y coordinate of the signature’s point: 0 or 1. */
  yParity: number;
};

/** HTTP method of a status request. */
export type CheckMethod =
  /** Without a body. */
  | 'GET';

/** State of a deposit. A deposit is filled or refunded exactly once. */
export type DepositStatus =
  /** Confirmed, and accepted for its request. */
  | 'credited'
  /** The recipient of its request is paid. */
  | 'filled'
  /** It cannot be refunded. `refundFailReason` has the cause. */
  | 'kept'
  /** It will be refunded. `reason` has the cause. */
  | 'refundable'
  /** Refunded. */
  | 'refunded'
  /** A block contains it. It is not confirmed yet. */
  | 'seen'
  /** Paid out from the depository to the entitled account. */
  | 'settled'
  /** The payout from the depository to the entitled account is in progress. */
  | 'settling';

/** Reason why a request is not filled or is filled without the calls of its order, or why a deposit is refunded. */
export type FailReason =
  /** The deposit is too small to fill the request. */
  | 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
  /** Another deposit already pays for the request. */
  | 'DOUBLE_SPEND'
  /** The fill reverts on the destination chain. */
  | 'EXECUTION_REVERTED'
  /** The deposit is in the wrong currency. */
  | 'INCORRECT_DEPOSIT_CURRENCY'
  /** A signature no longer fits: it was cancelled, its nonce was used, or its account has other code. */
  | 'INVALID_NONCE'
  /** There is no route between the currencies any more. */
  | 'NO_QUOTES'
  /** A deposit did not arrive before its deadline, or the fill deadline passed. */
  | 'ORDER_EXPIRED'
  /** The signature expired before its transaction could be sent. */
  | 'SIGNATURE_EXPIRED'
  /** The price moved further than the slippage tolerance allows. */
  | 'SLIPPAGE'
  /** The solver does not hold enough to fill the request. */
  | 'SOLVER_BALANCE_TOO_LOW'
  /** The amount exceeds what the solver pays out in one fill, or what it accepts as a plain transfer. */
  | 'SOLVER_CAPACITY_EXCEEDED'
  /** The sponsor cannot pay for the request. */
  | 'SPONSOR_BALANCE_TOO_LOW'
  /** The fill would have paid out less than the quoted minimum. */
  | 'TOO_LITTLE_RECEIVED'
  /** The transaction of the signature was sent, and had no effect before the signature expired. */
  | 'TRANSACTION_NOT_INCLUDED'
  /** The user’s own transaction reverted. */
  | 'TRANSACTION_REVERTED'
  /** None of the other reasons applies, such as after an unexpected error. */
  | 'UNKNOWN';

/** One destination currency, and the deposits that pay for it. */
export type MultiInputQuoteInput = {
  /** Exact output in the smallest unit of the destination currency, above "0". Required for EXACT_OUTPUT, not allowed for EXACT_INPUT. */
  amount?: string | null | undefined;
  /** Id of the chain that the recipient is paid on. Origins may be on the same chain. */
  destinationChainId: number;
  /** Contract or mint of the currency that the recipient gets; the zero address (32 zero bytes on an svm chain) for the native currency. */
  destinationCurrency: string;
  /** Gas limit of all `txs` together if the user’s own transaction runs them, in a swap on one chain without the solver. It is part of `fees.gas` and of the `gas` of the step, and overrides `txsGasLimit`. Refused with INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS if a simulation uses more, or if the user’s transactions run no `txs`, as in a multi-input quote. */
  gasLimitForDepositSpecifiedTxs?: number | null | undefined;
  /** Additional gas units of each deposit transaction, for example of a smart account. Included in `fees.gas`. */
  originGasOverhead?: number | null | undefined;
  /** The deposits: 1 to 16 origins. No two with the same chain, currency and user, and none in the destination currency. */
  origins: Array<OriginInput>;
  /** What happens at the deadline if some deposits are missing. true: the other deposits are filled, and output and minimum are reduced in proportion. false: they are refunded. Default: false. */
  partial?: boolean | null | undefined;
  /** Account that is paid on the destination chain. Default: `user`. Required if addresses of the two chains have different forms. */
  recipient?: string | null | undefined;
  /** Name of the frontend, stored with the request. At most 128 characters. */
  referrer?: string | null | undefined;
  /** Account that refunds are paid to, on the chain of each origin. Default: the user of each origin. Not allowed if addresses of the origins have different forms. */
  refundTo?: string | null | undefined;
  /** Largest accepted shortfall of the output in basis points, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** Whether the deposits are exact (EXACT_INPUT) or the output (EXACT_OUTPUT). */
  tradeType: MultiInputTradeType;
  /** Calls on the destination chain: at most 32, with at most 98,304 bytes of calldata in all. An executor contract makes them in this order and with the output, in the transaction of the fill or swap. The recipient then gets the rest of the output. */
  txs?: Array<TxInput> | null | undefined;
  /** Gas limit of all `txs` together, in gas units. Default: 100,000 for each call. The quote is refused if a simulation uses more. */
  txsGasLimit?: number | null | undefined;
  /** Account that deposits for every origin without a `user`. Also the default of `recipient`. */
  user: string;
};

/** Which amount of a multi-input quote is fixed. */
export type MultiInputTradeType =
  /** Each origin deposits exactly its `amount`. */
  | 'EXACT_INPUT'
  /** The recipient receives exactly `amount` of the destination currency. Each origin deposits at most its `amount`; some may deposit nothing. */
  | 'EXACT_OUTPUT';

/** Kind of an order. */
export type OperationKind =
  /** The same asset from one chain to another. */
  | 'bridge'
  /** A transfer of the same currency on the same chain. */
  | 'send'
  /** One currency into another, on one chain or across two. */
  | 'swap'
  /** The wrapped ERC-20 into the native currency, one to one. */
  | 'unwrap'
  /** The native currency into its wrapped ERC-20, one to one. */
  | 'wrap';

/** One deposit of a multi-input quote: chain, currency, amount and user. */
export type OriginInput = {
  /** Amount in the smallest unit of `currency`, above "0". Exact for EXACT_INPUT; the maximum deposit for EXACT_OUTPUT. */
  amount: string;
  /** Id of the chain that the user deposits on. */
  chainId: number;
  /** Currency that the user pays; the zero address (32 zero bytes on an svm chain) for the native currency. */
  currency: string;
  /** Account that deposits and signs the transactions. Default: the root `user`. */
  user?: string | null | undefined;
};

/** Currencies, amount and accounts of a swap or transfer to price. */
export type PriceInput = {
  /** Amount in the smallest unit, above "0": of the origin currency for EXACT_INPUT, else of the destination currency. */
  amount: string;
  /** Fees for frontends: at most 16 shares of the input, in sum below 10,000 basis points. */
  appFees?: Array<AppFeeInput> | null | undefined;
  /** Id of the chain that the recipient is paid on. It may be the origin chain. */
  destinationChainId: number;
  /** Contract or mint of the currency that the recipient gets; the zero address (32 zero bytes on an svm chain) for the native currency. */
  destinationCurrency: string;
  /** Id of the chain that the user pays on. */
  originChainId: number;
  /** Contract or mint of the currency that the user pays; the zero address (32 zero bytes on an svm chain) for the native currency. */
  originCurrency: string;
  /** Account that is paid on the destination chain. Default: `user`. Required if addresses of the two chains have different forms. */
  recipient?: string | null | undefined;
  /** Name of the frontend, stored with the request. At most 128 characters. */
  referrer?: string | null | undefined;
  /**
   * No effect: refunds are always paid on the origin chain. Both values are accepted.
   * @deprecated Refunds are always paid on the origin chain.
   */
  refundOnOrigin?: boolean | null | undefined;
  /** Account that a refund is paid to, on the origin chain. Default: `recipient`, else `user`; `user` if addresses of the two chains have different forms. */
  refundTo?: string | null | undefined;
  /** Largest accepted shortfall of the output in basis points, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** Which amount `amount` is, and whether it is exact. */
  tradeType: TradeType;
  /** Calls on the destination chain: at most 32, with at most 98,304 bytes of calldata in all. An executor contract makes them in this order and with the output, in the transaction of the fill or swap. The recipient then gets the rest of the output. */
  txs?: Array<TxInput> | null | undefined;
  /** Whether the user pays an address instead of calling a contract, for payments that cannot carry calldata, such as withdrawals from exchanges. The solver sweeps the address into the depository; `relayerGas` includes the gas. Only for currencies that the solver accepts without a swap, and without `txs`. The order stays open for 180 days. Default: false. */
  useDepositAddress?: boolean | null | undefined;
  /** Whether a quote may exceed the solver’s inventory on the destination chain. Such a quote has a longer `timeEstimate` and the `fallbackType` "external-liquidity". It is filled once the operator has added the missing inventory, and refunded if that takes longer than the time that the operator configures. No effect if the inventory suffices. With false, or if the operator configures no such time, the order is refused with INSUFFICIENT_LIQUIDITY. Default: false. */
  useExternalLiquidity?: boolean | null | undefined;
  /** Lets another service with the same API, which the operator configures, price and execute the order if this service has no route, lacks the inventory, or does not support the chain. `fallbackType` is then "upstream". No effect on `prices`, live prices and multi-input quotes. Default: false; true if this service has no chains. */
  useFallbacks?: boolean | null | undefined;
  /** Lets the user pay by signature, without native currency for gas: by EIP-3009 if the origin currency supports it, else by Permit2. The solver sends the transaction and charges its gas in `fees.relayerGas`. A swap on one chain needs a sponsor. Not for native currencies. Default: false. */
  usePermit?: boolean | null | undefined;
  /** How the user deposits. true: by a call of the depository, which emits an event. false: by a plain transfer to the depository, which smart contract wallets cannot use. The depository does not record a plain transfer of an ERC-20, so the user cannot withdraw it: above the solver’s limit (usually 1,000 dollars) the quote asks for a call instead. On an svm chain every deposit calls the depository. Default: true. */
  useReceiver?: boolean | null | undefined;
  /** Account that pays on the origin chain. Without it, `details` has the zero address for each account that the input leaves open, and neither a balance nor issues. With `useDepositAddress`, an unknown payer needs a `recipient`. */
  user?: string | null | undefined;
};

/** Progress of a transaction. */
export type ProgressStatus =
  /** Enough blocks follow it: the gateway waits for a number that depends on the chain. */
  | 'confirmed'
  /** Not observed, but a later confirmed transaction proves that it succeeded. */
  | 'implied'
  /** It reverted, and enough blocks follow its block. Only gas was spent. Another transaction may replace it. */
  | 'reverted'
  /** A block contains it. It is not confirmed yet. */
  | 'seen'
  /** Sent or about to be sent. No block contains it yet. */
  | 'sent'
  /** The user has signed. The solver has not sent the transaction yet. */
  | 'signed'
  /** No longer expected: the request ends without it. */
  | 'skipped'
  /** No transaction is known yet. */
  | 'waiting';

/** Currencies, amount, accounts and execution options of a swap or transfer to quote. */
export type QuoteInput = {
  /** Data for specific routes. No route uses it: `{}` is accepted, and any key is refused with UNSUPPORTED_ROUTE. */
  additionalData?: Record<string, unknown> | null | undefined;
  /** Amount in the smallest unit, above "0": of the origin currency for EXACT_INPUT, else of the destination currency. */
  amount: string;
  /** Fees for frontends: at most 16 shares of the input, in sum below 10,000 basis points. */
  appFees?: Array<AppFeeInput> | null | undefined;
  /** EIP-7702 authorizations, at most 16, one for each account: the fill is a type-4 transaction that applies them before it runs the `txs`. The solver fills such an order even on one chain. The gas of the authorizations is part of `fees.relayerGas`. Each must have a valid chain id and nonce, and its account must have no contract code. Refused with UNSUPPORTED_EXECUTION_TYPE on a chain without EIP-7702. */
  authorizationList?: Array<AuthorizationInput> | null | undefined;
  /** On an EVM chain: account that sends the signed transaction and pays its gas instead of the solver. The answer to the signature contains that transaction. Only with `usePermit`; else refused with UNSUPPORTED_EXECUTION_TYPE. On an svm chain: account that signs the deposit first and pays its fee and the rent of new accounts. It must hold enough. Default there: the user. */
  depositFeePayer?: string | null | undefined;
  /** Id of the chain that the recipient is paid on. It may be the origin chain. */
  destinationChainId: number;
  /** Contract or mint of the currency that the recipient gets; the zero address (32 zero bytes on an svm chain) for the native currency. */
  destinationCurrency: string;
  /** Deposits the origin currency without a swap; only wrapping is allowed. Default: false. */
  disableOriginSwaps?: boolean | null | undefined;
  /** Whether the solver keeps the surplus of a swap with exact output. false: the recipient gets it. Default: false. */
  enableTrueExactOutput?: boolean | null | undefined;
  /** Names of swap sources that routes must not use, on both chains. */
  excludedSwapSources?: Array<string> | null | undefined;
  /** How the user deposits. true: by a call of the depository. false: by a plain transfer to the depository. The depository does not record a plain transfer of an ERC-20, so the user cannot withdraw it: above the solver’s limit (usually 1,000 dollars) the quote asks for a call instead. Default: true. */
  explicitDeposit?: boolean | null | undefined;
  /** Service fee in basis points, "0" to "9999", instead of the usual one. The output is then exact. A rate below the usual one needs an API key that discounts. */
  fixedRate?: string | null | undefined;
  /** Makes the solver fill even a swap on one chain that the user could execute without it. Default: false. */
  forceSolverExecution?: boolean | null | undefined;
  /** Gas limit of all `txs` together if the user’s own transaction runs them, in a swap on one chain without the solver. It is part of `fees.gas` and of the `gas` of the step, and overrides `txsGasLimit`. Refused with INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS if a simulation uses more, or if the user’s transactions run no `txs`, as in a multi-input quote. */
  gasLimitForDepositSpecifiedTxs?: number | null | undefined;
  /** Whether every transaction of the steps has a `gas` limit. With false, a transaction has none if another one must come first, or if it would revert now. On an svm chain: whether the deposit has an instruction with its limit of compute units, from a simulation, else from the estimate of the price. Default: false. */
  includeComputeUnitLimit?: boolean | null | undefined;
  /** Replaces `includedSwapSources` on the destination chain. */
  includedDestinationSwapSources?: Array<string> | null | undefined;
  /** Replaces `includedSwapSources` on the origin chain. */
  includedOriginSwapSources?: Array<string> | null | undefined;
  /** Names of the only swap sources that routes may use, on both chains. Default: all. */
  includedSwapSources?: Array<string> | null | undefined;
  /** Largest accepted increase of the fill’s gas cost above the quoted `fees.relayerGas`, in basis points, for a deposit up to seven days after the deadline. The order is then filled at current market prices; the additional gas cost reduces the output and its minimum. Above the tolerance, and without this field, a late deposit is refunded. Only if the solver fills. */
  latePaymentSlippageTolerance?: string | null | undefined;
  /** Maximum number of hops (pools) of one path, 1 to 6. Default: 4, or 6 for an amount that moves the price by 2 %. Nothing is swapped on an svm chain: there it limits the swap on the other chain. */
  maxRouteLength?: number | null | undefined;
  /** Highest fees that the sponsor pays, in millionths of a US dollar. If the fees are higher, the sponsor pays nothing. Needs `subsidizeFees`. Required for a deposit address that accepts any payment: there it limits the sum over all payments, and a payment whose fees exceed the rest pays them itself. */
  maxSubsidizationAmount?: string | null | undefined;
  /** Id of the chain that the user pays on. */
  originChainId: number;
  /** Contract or mint of the currency that the user pays; the zero address (32 zero bytes on an svm chain) for the native currency. */
  originCurrency: string;
  /** Additional gas units of the origin transaction, for example of a smart account. Included in `fees.gas`. */
  originGasOverhead?: number | null | undefined;
  /** Quotes even if the swaps lose more of the input’s value than the configured limit. Default: false. */
  overridePriceImpact?: boolean | null | undefined;
  /** Seconds from the quote until the signature expires, 60 to 86400. Default: 600. Needs `usePermit`. */
  permitExpiry?: number | null | undefined;
  /** Account that is paid on the destination chain. Default: `user`. Required if addresses of the two chains have different forms. */
  recipient?: string | null | undefined;
  /** Name of the frontend, stored with the request. At most 128 characters. */
  referrer?: string | null | undefined;
  /** Account of the frontend, stored with the request. */
  referrerAddress?: string | null | undefined;
  /**
   * No effect: refunds are always paid on the origin chain. Both values are accepted.
   * @deprecated Refunds are always paid on the origin chain.
   */
  refundOnOrigin?: boolean | null | undefined;
  /** Account that a refund is paid to, on the origin chain. Default: `recipient`, else `user`; `user` if addresses of the two chains have different forms. */
  refundTo?: string | null | undefined;
  /** Largest accepted shortfall of the output in basis points, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** Kind of deposit address of a quote with `useDepositAddress`. true: it accepts one payment, for this order as quoted, and needs `refundTo`. false: it accepts any number of payments of any amount until the deadline; each payment is quoted when it arrives, as a request of its own. Both kinds can only deposit, and anybody can sweep them: on EVM chains they are contracts, on svm chains addresses of the depository that nobody has the key of. Default: false. */
  strict?: boolean | null | undefined;
  /** Charges the relayer fees and the gas top-up to the sponsor whose API key is sent as `x-api-key`. Default: false. */
  subsidizeFees?: boolean | null | undefined;
  /** Charges the rent of new accounts to the sponsor. EVM chains charge no rent. On svm chains the rent is a part of `fees.relayerGas`, which `subsidizeFees` charges to the sponsor already. So both values give the same quote. true needs `subsidizeFees`. */
  subsidizeRent?: boolean | null | undefined;
  /** Pays the recipient native currency for gas in addition to the output. Only if the destination currency is not native, and only if the solver fills. */
  topupGas?: boolean | null | undefined;
  /** Value of the top-up in millionths of a US dollar, up to the solver’s limit (usually ten dollars). The fill converts it at the price of that moment, and pays at most the quoted amount. Default: "2000000" (two dollars). Needs `topupGas`. */
  topupGasAmount?: string | null | undefined;
  /** Which amount `amount` is, and whether it is exact. */
  tradeType: TradeType;
  /** Calls on the destination chain: at most 32, with at most 98,304 bytes of calldata in all. An executor contract makes them in this order and with the output, in the transaction of the fill or swap. The recipient then gets the rest of the output. */
  txs?: Array<TxInput> | null | undefined;
  /** Gas limit of all `txs` together, in gas units. Default: 100,000 for each call. The quote is refused if a simulation uses more. */
  txsGasLimit?: number | null | undefined;
  /** Whether the user pays an address instead of calling a contract, for payments that cannot carry calldata, such as withdrawals from exchanges. The solver sweeps the address into the depository; `relayerGas` includes the gas. Only for currencies that the solver accepts without a swap, and without `txs`. The order stays open for 180 days. Default: false. */
  useDepositAddress?: boolean | null | undefined;
  /** Whether a quote may exceed the solver’s inventory on the destination chain. Such a quote has a longer `timeEstimate` and the `fallbackType` "external-liquidity". It is filled once the operator has added the missing inventory, and refunded if that takes longer than the time that the operator configures. No effect if the inventory suffices. With false, or if the operator configures no such time, the order is refused with INSUFFICIENT_LIQUIDITY. Default: false. */
  useExternalLiquidity?: boolean | null | undefined;
  /** Lets another service with the same API, which the operator configures, price and execute the order if this service has no route, lacks the inventory, or does not support the chain. `fallbackType` is then "upstream". No effect on `prices`, live prices and multi-input quotes. Default: false; true if this service has no chains. */
  useFallbacks?: boolean | null | undefined;
  /** Lets the user pay by signature, without native currency for gas: by EIP-3009 if the origin currency supports it, else by Permit2. The solver sends the transaction and charges its gas in `fees.relayerGas`. A swap on one chain needs a sponsor. Not for native currencies. Default: false. */
  usePermit?: boolean | null | undefined;
  /** How the user deposits. true: by a call of the depository, which emits an event. false: by a plain transfer to the depository, which smart contract wallets cannot use. The depository does not record a plain transfer of an ERC-20, so the user cannot withdraw it: above the solver’s limit (usually 1,000 dollars) the quote asks for a call instead. On an svm chain every deposit calls the depository. Default: true. */
  useReceiver?: boolean | null | undefined;
  /** No effect: the router holds the currencies between the hops, so a swap never needs accounts of the user for them, and nothing is swapped on an svm chain. Both values are accepted. */
  useSharedAccounts?: boolean | null | undefined;
  /** Account that deposits on the origin chain and signs the transactions. In the form of the origin chain. The zero address (32 zero bytes on an svm chain) only with `useDepositAddress`, if the payer is unknown; `recipient` is then required. */
  user: string;
};

/** Reason why a deposit cannot be refunded. */
export type RefundFailReason =
  /** The deposit is worth less than the gas of a refund. */
  | 'AMOUNT_TOO_LOW_TO_REFUND'
  /** The refund reverts on the origin chain. */
  | 'EXECUTION_REVERTED'
  /** The recipient did not accept the refund. It can claim the amount from the depository. */
  | 'RECIPIENT_REFUSED';

/** Status of a request. success, failure and refund are terminal. */
export type RequestStatusName =
  /** Some deposits of a multi-input quote are confirmed. Others are still expected. */
  | 'depositing'
  /** Not filled. No refund was due or possible. */
  | 'failure'
  /** The deposit is confirmed, and the fill will be sent. For a user’s own swap: a block contains the swap. */
  | 'pending'
  /** Not filled. The deposits are refunded on their own chains. */
  | 'refund'
  /** The fill is sent. It is not confirmed yet. */
  | 'submitted'
  /** The recipient is paid. */
  | 'success'
  /** Quoted. No deposit is confirmed yet. */
  | 'waiting';

/** Kind of a step. A quote has at most one deposit, swap or send for each account that pays. */
export type StepName =
  /** Allows a contract to spend the currency that the user pays with. */
  | 'APPROVE'
  /** A signature that pays for a deposit. If there are two signatures, the first one, which lets Permit2 transfer the currency. */
  | 'AUTHORIZE1'
  /** A signature that pays for a swap on one chain. If there are two signatures, the second one, which pays. */
  | 'AUTHORIZE2'
  /** Pays into the depository of the origin chain. */
  | 'DEPOSIT'
  /** Transfers the currency to the recipient on one chain. */
  | 'SEND'
  /** Swaps on one chain, without the solver. */
  | 'SWAP';

/** Which amount `amount` is, and whether it is exact. */
export type TradeType =
  /** The user pays exactly `amount` of the origin currency. */
  | 'EXACT_INPUT'
  /** The recipient receives exactly `amount` of the destination currency. */
  | 'EXACT_OUTPUT'
  /** The recipient receives about `amount` of the destination currency, within the slippage tolerance. */
  | 'EXPECTED_OUTPUT';

/** A call on the destination chain. An executor contract makes it with the output, in the transaction of the fill or swap, before the recipient gets the rest. */
export type TxInput = {
  /** Calldata, at most 65,535 bytes. */
  data: string;
  /** Value of the original call, in wei, if it was wrapped. Not used. */
  originalTxValue?: string | null | undefined;
  /** Contract to call. */
  to: string;
  /** Native currency to send, in wei. */
  value: string;
};

export type WholeFragment = { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } };

export type WholePriceQueryVariables = Exact<{
  input: PriceInput;
}>;


export type WholePriceQuery = { price: { fees: { gas: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, relayer: { amount: string }, relayerGas: { amount: string }, relayerService: { amount: string }, app: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, subsidized: { amount: string } }, details: { operation: OperationKind, sender: string, recipient: string, rate: string, timeEstimate: number, userBalance: string | null, currencyIn: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, currencyOut: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, totalImpact: { usd: string, percent: string } | null, swapImpact: { usd: string, percent: string } | null, slippageTolerance: { origin: { usd: string | null, value: string, percent: string }, destination: { usd: string | null, value: string, percent: string } }, route: { origin: { router: string, includedSwapSources: Array<string>, inputCurrency: { amount: string }, outputCurrency: { amount: string } }, destination: { router: string, includedSwapSources: Array<string>, inputCurrency: { amount: string }, outputCurrency: { amount: string } } } }, blocks: Array<{ chainId: number, number: number, hash: string, timestamp: number, ageMs: number }> } | null };

export type RateOnlyQueryVariables = Exact<{
  input: PriceInput;
}>;


export type RateOnlyQuery = { one: { details: { rate: string } } | null, other: { details: { rate: string } } | null };

export type ToDepositQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type ToDepositQuery = { multiInputQuote: { requestId: string, depositDeadline: number, steps: Array<{ id: string, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: CheckMethod } | null }> }> } | null };

export type IndicativeMultiInputQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type IndicativeMultiInputQuery = { multiInputQuote: { breakdown: Array<{ value: string, timeEstimate: number }>, balances: { requiredToSolve: string }, details: { rate: string, currencyOut: { amount: string, minimumAmount: string } }, blocks: Array<{ chainId: number, number: number }> } | null };

export type MultiStatusQueryVariables = Exact<{
  requestId: string;
}>;


export type MultiStatusQuery = { requestStatus: { status: RequestStatusName, failReason: FailReason | null, refundFailReason: RefundFailReason | null, inTxHashes: Array<string>, txHashes: Array<string>, steps: Array<{ name: StepName, items: Array<{ status: ProgressStatus, transaction: { chainId: number, hash: string } | null }> }>, fill: { status: ProgressStatus, transaction: { chainId: number, hash: string } | null } | null, refund: { status: ProgressStatus } | null, deposits: Array<{ chainId: number, txHash: string, depositor: string, amount: string, status: DepositStatus, reason: FailReason | null, refund: { status: ProgressStatus, transaction: { chainId: number } | null } | null }> } | null };

export type ToExecuteQueryVariables = Exact<{
  input: QuoteInput;
}>;


export type ToExecuteQuery = { quote: { requestId: string, steps: Array<{ name: StepName, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: CheckMethod } | null }> }>, fees: { app: { amount: string }, relayer: { amount: string } }, details: { operation: OperationKind, currencyIn: { amount: string }, currencyOut: { amount: string, minimumAmount: string }, route: { origin: { includedSwapSources: Array<string>, outputCurrency: { amount: string, minimumAmount: string, currency: { address: string } } } } }, protocol: { v2: { orderId: string, orderData: Record<string, unknown>, paymentDetails: { chainId: string, depository: string, currency: string, amount: string } } } | null } | null };

export type MultiToExecuteQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type MultiToExecuteQuery = { multiInputQuote: { depositDeadline: number, steps: Array<{ name: StepName, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: CheckMethod } | null }> }>, details: { currencyOut: { amount: string, minimumAmount: string } } } | null };

export type OutputOfQueryVariables = Exact<{
  input: PriceInput;
}>;


export type OutputOfQuery = { price: { details: { currencyOut: { amount: string, minimumAmount: string } }, blocks: Array<{ chainId: number, number: number, hash: string }> } | null };

export type BalanceOfQueryVariables = Exact<{
  one: PriceInput;
  other: PriceInput;
  third: PriceInput;
}>;


export type BalanceOfQuery = { one: { details: { userBalance: string | null } } | null, other: { details: { userBalance: string | null } } | null, third: { details: { userBalance: string | null } } | null };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const WholeFragmentDoc = new TypedDocumentString(`
    fragment Whole on CurrencyAmount {
  currency {
    chainId
    address
    symbol
    name
    decimals
    metadata {
      logoURI
      verified
      isNative
    }
  }
  amount
  amountFormatted
  amountUsd
  minimumAmount
}
    `, {"fragmentName":"Whole"}) as unknown as TypedDocumentString<WholeFragment, unknown>;
export const WholePriceDocument = new TypedDocumentString(`
    query WholePrice($input: PriceInput!) {
  price(input: $input) {
    fees {
      gas {
        ...Whole
      }
      relayer {
        amount
      }
      relayerGas {
        amount
      }
      relayerService {
        amount
      }
      app {
        ...Whole
      }
      subsidized {
        amount
      }
    }
    details {
      operation
      sender
      recipient
      currencyIn {
        ...Whole
      }
      currencyOut {
        ...Whole
      }
      totalImpact {
        usd
        percent
      }
      swapImpact {
        usd
        percent
      }
      rate
      slippageTolerance {
        origin {
          usd
          value
          percent
        }
        destination {
          usd
          value
          percent
        }
      }
      timeEstimate
      userBalance
      route {
        origin {
          inputCurrency {
            amount
          }
          outputCurrency {
            amount
          }
          router
          includedSwapSources
        }
        destination {
          inputCurrency {
            amount
          }
          outputCurrency {
            amount
          }
          router
          includedSwapSources
        }
      }
    }
    blocks {
      chainId
      number
      hash
      timestamp
      ageMs
    }
  }
}
    fragment Whole on CurrencyAmount {
  currency {
    chainId
    address
    symbol
    name
    decimals
    metadata {
      logoURI
      verified
      isNative
    }
  }
  amount
  amountFormatted
  amountUsd
  minimumAmount
}`) as unknown as TypedDocumentString<WholePriceQuery, WholePriceQueryVariables>;
export const RateOnlyDocument = new TypedDocumentString(`
    query RateOnly($input: PriceInput!) {
  one: price(input: $input) {
    details {
      rate
    }
  }
  other: price(input: $input) {
    details {
      rate
    }
  }
}
    `) as unknown as TypedDocumentString<RateOnlyQuery, RateOnlyQueryVariables>;
export const ToDepositDocument = new TypedDocumentString(`
    query ToDeposit($input: MultiInputQuoteInput!) {
  multiInputQuote(input: $input) {
    requestId
    depositDeadline
    steps {
      id
      requestId
      items {
        data {
          from
          to
          data
          value
          chainId
          gas
          maxFeePerGas
          maxPriorityFeePerGas
        }
        check {
          endpoint
          method
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ToDepositQuery, ToDepositQueryVariables>;
export const IndicativeMultiInputDocument = new TypedDocumentString(`
    query IndicativeMultiInput($input: MultiInputQuoteInput!) {
  multiInputQuote(input: $input) {
    breakdown {
      value
      timeEstimate
    }
    balances {
      requiredToSolve
    }
    details {
      rate
      currencyOut {
        amount
        minimumAmount
      }
    }
    blocks {
      chainId
      number
    }
  }
}
    `) as unknown as TypedDocumentString<IndicativeMultiInputQuery, IndicativeMultiInputQueryVariables>;
export const MultiStatusDocument = new TypedDocumentString(`
    query MultiStatus($requestId: RequestId!) {
  requestStatus(requestId: $requestId) {
    status
    failReason
    refundFailReason
    inTxHashes
    txHashes
    steps {
      name
      items {
        status
        transaction {
          chainId
          hash
        }
      }
    }
    fill {
      status
      transaction {
        chainId
        hash
      }
    }
    refund {
      status
    }
    deposits {
      chainId
      txHash
      depositor
      amount
      status
      reason
      refund {
        status
        transaction {
          chainId
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MultiStatusQuery, MultiStatusQueryVariables>;
export const ToExecuteDocument = new TypedDocumentString(`
    query ToExecute($input: QuoteInput!) {
  quote(input: $input) {
    requestId
    steps {
      name
      requestId
      items {
        data {
          from
          to
          data
          value
          chainId
          gas
          maxFeePerGas
          maxPriorityFeePerGas
        }
        check {
          endpoint
          method
        }
      }
    }
    fees {
      app {
        amount
      }
      relayer {
        amount
      }
    }
    details {
      operation
      currencyIn {
        amount
      }
      currencyOut {
        amount
        minimumAmount
      }
      route {
        origin {
          includedSwapSources
          outputCurrency {
            amount
            minimumAmount
            currency {
              address
            }
          }
        }
      }
    }
    protocol {
      v2 {
        orderId
        orderData
        paymentDetails {
          chainId
          depository
          currency
          amount
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ToExecuteQuery, ToExecuteQueryVariables>;
export const MultiToExecuteDocument = new TypedDocumentString(`
    query MultiToExecute($input: MultiInputQuoteInput!) {
  multiInputQuote(input: $input) {
    depositDeadline
    steps {
      name
      requestId
      items {
        data {
          from
          to
          data
          value
          chainId
          gas
          maxFeePerGas
          maxPriorityFeePerGas
        }
        check {
          endpoint
          method
        }
      }
    }
    details {
      currencyOut {
        amount
        minimumAmount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MultiToExecuteQuery, MultiToExecuteQueryVariables>;
export const OutputOfDocument = new TypedDocumentString(`
    query OutputOf($input: PriceInput!) {
  price(input: $input) {
    details {
      currencyOut {
        amount
        minimumAmount
      }
    }
    blocks {
      chainId
      number
      hash
    }
  }
}
    `) as unknown as TypedDocumentString<OutputOfQuery, OutputOfQueryVariables>;
export const BalanceOfDocument = new TypedDocumentString(`
    query BalanceOf($one: PriceInput!, $other: PriceInput!, $third: PriceInput!) {
  one: price(input: $one) {
    details {
      userBalance
    }
  }
  other: price(input: $other) {
    details {
      userBalance
    }
  }
  third: price(input: $third) {
    details {
      userBalance
    }
  }
}
    `) as unknown as TypedDocumentString<BalanceOfQuery, BalanceOfQueryVariables>;