/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A share of the input for whoever built the frontend. */
export type AppFeeInput = {
  /** Share of the input’s value, "0" to "9999"; "50" is 0.5%. */
  fee: string;
  /** Who gets the fee. */
  recipient: string;
};

/** An EIP-7702 authorization. */
export type AuthorizationInput = {
  /** Whose code is lent. */
  address: string;
  /** Where it holds. */
  chainId: number;
  /** Of the account that signed it. */
  nonce: number;
  /** Of the signature. */
  r: string;
  /** Of the signature. */
  s: string;
  /** Of the signature: 0 or 1. */
  yParity: number;
};

/** What becomes of a deposit: it is filled or refunded exactly once. */
export type DepositStatus =
  /** Its request counts on it. */
  | 'credited'
  /** Its request was paid out. */
  | 'filled'
  /** Cannot be paid back, for its `refundFailReason`. */
  | 'kept'
  /** To be paid back, for its `reason`. */
  | 'refundable'
  /** Paid back. */
  | 'refunded'
  /** In a block, not deep enough in the chain to count. */
  | 'seen'
  /** Paid on to whom it is due. */
  | 'settled'
  /** On its way from the depository to whom it is due now. */
  | 'settling';

/** Why a request was not filled, or a deposit is not what it was filled for. */
export type FailReason =
  /** Less was deposited than can be filled. */
  | 'DEPOSITED_AMOUNT_TOO_LOW_TO_FILL'
  /** The request has another deposit already. */
  | 'DOUBLE_SPEND'
  /** The fill reverts on the destination chain. */
  | 'EXECUTION_REVERTED'
  /** Another currency was deposited. */
  | 'INCORRECT_DEPOSIT_CURRENCY'
  /** No route joins the currencies any more. */
  | 'NO_QUOTES'
  /** A deposit came after its deadline, or not at all. */
  | 'ORDER_EXPIRED'
  /** The price moved further than the slippage tolerance allows. */
  | 'SLIPPAGE'
  /** The solver does not hold enough to fill it. */
  | 'SOLVER_BALANCE_TOO_LOW'
  /** It is more than the solver pays out at once. */
  | 'SOLVER_CAPACITY_EXCEEDED'
  /** The sponsor does not pay for it. */
  | 'SPONSOR_BALANCE_TOO_LOW'
  /** The fill would have paid out less than was promised. */
  | 'TOO_LITTLE_RECEIVED'
  /** The user’s own transaction reverted. */
  | 'TRANSACTION_REVERTED'
  /** None of the others. */
  | 'UNKNOWN';

/** What to swap into one currency, from which accounts on which chains, for whom. */
export type MultiInputQuoteInput = {
  /** What the recipient is to get, in the smallest unit of the destination currency, more than "0". EXACT_OUTPUT needs it; EXACT_INPUT takes none, as it pays in all of the origins. */
  amount?: string | null | undefined;
  /** Where the recipient is paid; may be the chain of origins too. */
  destinationChainId: number;
  /** What the recipient gets; the zero address for the native currency. */
  destinationCurrency: string;
  /** Gas for transactions that run during the deposit. */
  gasLimitForDepositSpecifiedTxs?: number | null | undefined;
  /** Units of gas that each deposit’s transaction takes beside its own, such as a smart account’s: counted in `fees.gas`. */
  originGasOverhead?: number | null | undefined;
  /** What is paid in, at least one origin and at most 16: no two of one chain, currency and user, and none in the destination currency itself. */
  origins: Array<OriginInput>;
  /** Whether deposits that came by the deadline are filled where others did not, for less output and a lower minimum in proportion, rather than refunded. Default: false. */
  partial?: boolean | null | undefined;
  /** Who is paid on the destination chain. Default: `user`. */
  recipient?: string | null | undefined;
  /** Names the frontend in records; at most 128 characters. */
  referrer?: string | null | undefined;
  /** Who is paid back, on each origin’s own chain. Default: each origin’s own user. */
  refundTo?: string | null | undefined;
  /** How much less may arrive, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** Whether what the origins pay in is fixed, or what the recipient gets. */
  tradeType: MultiInputTradeType;
  /** Calls to make on the destination chain once the output is there, in order, at most 32; the router makes them, and pays the recipient what they leave. */
  txs?: Array<TxInput> | null | undefined;
  /** Gas for all `txs` together. Default: 100,000 a call. Calls that are simulated to take more are refused. */
  txsGasLimit?: number | null | undefined;
  /** Who deposits for every origin that names no user of its own, and is paid where no `recipient` is named. */
  user: string;
};

/** What of a multi-input quote is fixed. */
export type MultiInputTradeType =
  /** All that the origins name is paid in. */
  | 'EXACT_INPUT'
  /** `amount` of the destination currency must arrive, to the unit; the origins pay in no more than they name, and some perhaps nothing. */
  | 'EXACT_OUTPUT';

/** What happens to the user’s funds. */
export type OperationKind =
  /** One asset from one chain to another. */
  | 'bridge'
  /** The same currency to somebody else on the same chain. */
  | 'send'
  /** One currency into another, on one chain or between two. */
  | 'swap'
  /** A wrapped ERC-20 into its native currency, one to one. */
  | 'unwrap'
  /** A native currency into its wrapped ERC-20, one to one. */
  | 'wrap';

/** One account’s part in paying for a multi-input quote. */
export type OriginInput = {
  /** In the smallest unit of its currency, more than "0": all of it is paid in for EXACT_INPUT, and so much at the most for EXACT_OUTPUT. */
  amount: string;
  /** Where it is paid in. */
  chainId: number;
  /** What is paid in; the zero address for the native currency. */
  currency: string;
  /** Who deposits it and signs its transactions. Default: the root `user`. */
  user?: string | null | undefined;
};

/** What to swap into what, for whom. */
export type PriceInput = {
  /** In the smallest unit, more than "0": of the origin currency for EXACT_INPUT, else of the destination currency. */
  amount: string;
  /** Shares of the input for frontends, at most 16, together less than 10,000 basis points. */
  appFees?: Array<AppFeeInput> | null | undefined;
  /** Where the recipient is paid; may be the same chain. */
  destinationChainId: number;
  /** What the recipient gets; the zero address for the native currency. */
  destinationCurrency: string;
  /** Where the user pays. */
  originChainId: number;
  /** What the user pays; the zero address for the native currency. */
  originCurrency: string;
  /** Who is paid on the destination chain. Default: `user`. */
  recipient?: string | null | undefined;
  /** Names the frontend in records; at most 128 characters. */
  referrer?: string | null | undefined;
  /**
   * Refunds are always paid on the origin chain.
   * @deprecated Refunds are always paid on the origin chain.
   */
  refundOnOrigin?: boolean | null | undefined;
  /** Who is paid back on the origin chain on failure. Default: `recipient`, else `user`. */
  refundTo?: string | null | undefined;
  /** How much less may arrive, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** What `amount` means. */
  tradeType: TradeType;
  /** Calls to make on the destination chain once the output is there, in order, at most 32; the router makes them, and pays the recipient what they leave. */
  txs?: Array<TxInput> | null | undefined;
  /** Pays to a deposit address, for wallets that cannot send calldata; only when bridging native currency. */
  useDepositAddress?: boolean | null | undefined;
  /** Bridges over canonical bridges: slower, but not bounded by the solver’s funds. */
  useExternalLiquidity?: boolean | null | undefined;
  /** Enables fallback routes. */
  useFallbacks?: boolean | null | undefined;
  /** Uses an EIP-3009 permit instead of a transaction when bridging; only for currencies that support it. */
  usePermit?: boolean | null | undefined;
  /** Deposits by a call of the depository, which reports the payment, rather than by a plain transfer to it; a smart contract that deposits needs that. Default: true. */
  useReceiver?: boolean | null | undefined;
  /** Who deposits on the origin chain and submits transactions or signatures. */
  user: string;
};

/** How far a transaction has come. */
export type ProgressStatus =
  /** Deep enough in the chain to count. */
  | 'confirmed'
  /** Not seen itself, but what counts by now could not have been made without it. */
  | 'implied'
  /** A block holds it, not deep enough in the chain to count. */
  | 'seen'
  /** Sent, or about to be; no block holds it yet. */
  | 'sent'
  /** Not to come any more: the request ends otherwise. */
  | 'skipped'
  /** Nothing is known of it yet. */
  | 'waiting';

/** What to swap into what, for whom, and how it is to be executed. */
export type QuoteInput = {
  /** Extra data for specific routes. */
  additionalData?: Record<string, unknown> | null | undefined;
  /** In the smallest unit, more than "0": of the origin currency for EXACT_INPUT, else of the destination currency. */
  amount: string;
  /** Shares of the input for frontends, at most 16, together less than 10,000 basis points. */
  appFees?: Array<AppFeeInput> | null | undefined;
  /** EIP-7702 authorizations for transactions on the destination chain. */
  authorizationList?: Array<AuthorizationInput> | null | undefined;
  /** Solana only. */
  depositFeePayer?: string | null | undefined;
  /** Where the recipient is paid; may be the same chain. */
  destinationChainId: number;
  /** What the recipient gets; the zero address for the native currency. */
  destinationCurrency: string;
  /** Deposits the origin currency itself, wrapped or unwrapped at the most. Default: false. */
  disableOriginSwaps?: boolean | null | undefined;
  /** Whether what a swap for an exact output leaves over goes to the solver rather than to the recipient. Default: false. */
  enableTrueExactOutput?: boolean | null | undefined;
  /** Swap sources that may not be traded through, on either chain. */
  excludedSwapSources?: Array<string> | null | undefined;
  /** Deposits by a call of the depository rather than by a plain transfer to it. Default: true. */
  explicitDeposit?: boolean | null | undefined;
  /** Basis points, "0" to "9999", charged in place of the service’s own; the output is then promised to the unit. */
  fixedRate?: string | null | undefined;
  /** Has the solver fill also what the user could swap alone on one chain. Default: false. */
  forceSolverExecution?: boolean | null | undefined;
  /** Gas for transactions that run during the deposit. */
  gasLimitForDepositSpecifiedTxs?: number | null | undefined;
  /** Solana only. */
  includeComputeUnitLimit?: boolean | null | undefined;
  /** Swap sources that may be traded through on the destination chain, in place of `includedSwapSources`. */
  includedDestinationSwapSources?: Array<string> | null | undefined;
  /** Swap sources that may be traded through on the origin chain, in place of `includedSwapSources`. */
  includedOriginSwapSources?: Array<string> | null | undefined;
  /** Swap sources that may be traded through, on either chain. Default: all. */
  includedSwapSources?: Array<string> | null | undefined;
  /** Slippage tolerance for deposits after the order’s deadline, in basis points. */
  latePaymentSlippageTolerance?: string | null | undefined;
  /** Hops of a path at the most, 1 to 6. Default: 4. */
  maxRouteLength?: number | null | undefined;
  /** The most that the sponsor pays, in millionths of a dollar; fees above it are not subsidized at all. Needs `subsidizeFees`. */
  maxSubsidizationAmount?: string | null | undefined;
  /** Where the user pays. */
  originChainId: number;
  /** What the user pays; the zero address for the native currency. */
  originCurrency: string;
  /** Units of gas that the origin transaction takes beside its own, such as a smart account’s: counted in `fees.gas`. */
  originGasOverhead?: number | null | undefined;
  /** Quotes even where the swaps lose more of the input’s worth than this gateway deems sane. Default: false. */
  overridePriceImpact?: boolean | null | undefined;
  /** Seconds that a permit stays valid. */
  permitExpiry?: number | null | undefined;
  /** Who is paid on the destination chain. Default: `user`. */
  recipient?: string | null | undefined;
  /** Names the frontend in records; at most 128 characters. */
  referrer?: string | null | undefined;
  /** The frontend’s account, for records. */
  referrerAddress?: string | null | undefined;
  /**
   * Refunds are always paid on the origin chain.
   * @deprecated Refunds are always paid on the origin chain.
   */
  refundOnOrigin?: boolean | null | undefined;
  /** Who is paid back on the origin chain on failure. Default: `recipient`, else `user`. */
  refundTo?: string | null | undefined;
  /** How much less may arrive, "0" to "10000". Default: computed from the route. */
  slippageTolerance?: string | null | undefined;
  /** With `useDepositAddress`: nobody but the depository can take what is paid to the address. */
  strict?: boolean | null | undefined;
  /** Puts the relayer fees, the gas top-up included, on the account of the sponsor whose API key comes along. Default: false. */
  subsidizeFees?: boolean | null | undefined;
  /** Solana only. */
  subsidizeRent?: boolean | null | undefined;
  /** Pays the recipient some native currency on top, to pay for gas with; only when the destination currency is another. The solver must fill. */
  topupGas?: boolean | null | undefined;
  /** Worth of the top-up in millionths of a dollar. Default: "2000000", two dollars. Needs `topupGas`. */
  topupGasAmount?: string | null | undefined;
  /** What `amount` means. */
  tradeType: TradeType;
  /** Calls to make on the destination chain once the output is there, in order, at most 32; the router makes them, and pays the recipient what they leave. */
  txs?: Array<TxInput> | null | undefined;
  /** Gas for all `txs` together. Default: 100,000 a call. Calls that are simulated to take more are refused. */
  txsGasLimit?: number | null | undefined;
  /** Pays to a deposit address, for wallets that cannot send calldata; only when bridging native currency. */
  useDepositAddress?: boolean | null | undefined;
  /** Bridges over canonical bridges: slower, but not bounded by the solver’s funds. */
  useExternalLiquidity?: boolean | null | undefined;
  /** Enables fallback routes. */
  useFallbacks?: boolean | null | undefined;
  /** Uses an EIP-3009 permit instead of a transaction when bridging; only for currencies that support it. */
  usePermit?: boolean | null | undefined;
  /** Deposits by a call of the depository, which reports the payment, rather than by a plain transfer to it; a smart contract that deposits needs that. Default: true. */
  useReceiver?: boolean | null | undefined;
  /** Solana only. */
  useSharedAccounts?: boolean | null | undefined;
  /** Who deposits on the origin chain and submits transactions or signatures. */
  user: string;
};

/** Why a deposit could not be paid back. */
export type RefundFailReason =
  /** It is worth less than the gas of a refund. */
  | 'AMOUNT_TOO_LOW_TO_REFUND'
  /** The refund reverts on the origin chain. */
  | 'EXECUTION_REVERTED';

/** How a request stands. Of success, failure and refund nothing changes any more. */
export type RequestStatusName =
  /** Deposits of a multi-input quote come in; others are waited for. */
  | 'depositing'
  /** Not filled, and no refund was due or possible. */
  | 'failure'
  /** What is deposited counts, and the fill is to be sent. Where the user swaps alone: a block holds the swap. */
  | 'pending'
  /** Not filled; what was deposited was paid back on its own chain. */
  | 'refund'
  /** The fill is sent, and does not count yet. */
  | 'submitted'
  /** The recipient was paid. */
  | 'success'
  /** Quoted; no deposit counts yet. */
  | 'waiting';

/** What `amount` means. */
export type TradeType =
  /** `amount` of the origin currency is paid in. */
  | 'EXACT_INPUT'
  /** `amount` of the destination currency must arrive, to the unit. */
  | 'EXACT_OUTPUT'
  /** `amount` of the destination currency is expected; what arrives may differ within the slippage tolerance. */
  | 'EXPECTED_OUTPUT';

/** A call to make on the destination chain once the funds are there. */
export type TxInput = {
  /** Calldata, at most 65,535 bytes. */
  data: string;
  /** The value that the call had before it was wrapped in others, in wei. */
  originalTxValue?: string | null | undefined;
  /** The contract to call. */
  to: string;
  /** Native currency to send along, in wei. */
  value: string;
};

export type WholeFragment = { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } };

export type WholePriceQueryVariables = Exact<{
  input: PriceInput;
}>;


export type WholePriceQuery = { price: { fees: { gas: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, relayer: { amount: string }, relayerGas: { amount: string }, relayerService: { amount: string }, app: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, subsidized: { amount: string } }, details: { operation: OperationKind, sender: string, recipient: string, rate: string, timeEstimate: number, userBalance: string, currencyIn: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, currencyOut: { amount: string, amountFormatted: string, amountUsd: string | null, minimumAmount: string, currency: { chainId: number, address: string, symbol: string, name: string, decimals: number, metadata: { logoURI: string | null, verified: boolean, isNative: boolean } } }, totalImpact: { usd: string, percent: string } | null, swapImpact: { usd: string, percent: string } | null, slippageTolerance: { origin: { usd: string | null, value: string, percent: string }, destination: { usd: string | null, value: string, percent: string } }, route: { origin: { router: string, includedSwapSources: Array<string>, inputCurrency: { amount: string }, outputCurrency: { amount: string } }, destination: { router: string, includedSwapSources: Array<string>, inputCurrency: { amount: string }, outputCurrency: { amount: string } } } }, blocks: Array<{ chainId: number, number: number, hash: string, timestamp: number }> } };

export type RateOnlyQueryVariables = Exact<{
  input: PriceInput;
}>;


export type RateOnlyQuery = { one: { details: { rate: string } }, other: { details: { rate: string } } };

export type ToDepositQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type ToDepositQuery = { multiInputQuote: { requestId: string, depositDeadline: number, steps: Array<{ id: string, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: string } | null }> }> } };

export type IndicativeMultiInputQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type IndicativeMultiInputQuery = { multiInputQuote: { breakdown: Array<{ value: string, timeEstimate: number }>, balances: { requiredToSolve: string }, details: { rate: string, currencyOut: { amount: string, minimumAmount: string } }, blocks: Array<{ chainId: number, number: number }> } };

export type MultiStatusQueryVariables = Exact<{
  requestId: string;
}>;


export type MultiStatusQuery = { requestStatus: { status: RequestStatusName, failReason: FailReason | null, refundFailReason: RefundFailReason | null, inTxHashes: Array<string>, txHashes: Array<string>, steps: Array<{ id: string, items: Array<{ status: ProgressStatus, transaction: { chainId: number, hash: string } | null }> }>, fill: { status: ProgressStatus, transaction: { chainId: number, hash: string } | null } | null, refund: { status: ProgressStatus } | null, deposits: Array<{ chainId: number, txHash: string, depositor: string, amount: string, status: DepositStatus, reason: FailReason | null, refund: { status: ProgressStatus, transaction: { chainId: number } | null } | null }> } };

export type ToExecuteQueryVariables = Exact<{
  input: QuoteInput;
}>;


export type ToExecuteQuery = { quote: { requestId: string, steps: Array<{ id: string, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: string } | null }> }>, fees: { app: { amount: string }, relayer: { amount: string } }, details: { operation: OperationKind, currencyIn: { amount: string }, currencyOut: { amount: string, minimumAmount: string }, route: { origin: { includedSwapSources: Array<string>, outputCurrency: { amount: string, minimumAmount: string, currency: { address: string } } } } }, protocol: { v2: { orderId: string, orderData: Record<string, unknown>, paymentDetails: { chainId: string, depository: string, currency: string, amount: string } } } | null } };

export type MultiToExecuteQueryVariables = Exact<{
  input: MultiInputQuoteInput;
}>;


export type MultiToExecuteQuery = { multiInputQuote: { depositDeadline: number, steps: Array<{ id: string, requestId: string, items: Array<{ data: { from: string, to: string, data: string, value: string, chainId: number, gas: string | null, maxFeePerGas: string, maxPriorityFeePerGas: string }, check: { endpoint: string, method: string } | null }> }>, details: { currencyOut: { amount: string, minimumAmount: string } } } };

export type OutputOfQueryVariables = Exact<{
  input: PriceInput;
}>;


export type OutputOfQuery = { price: { details: { currencyOut: { amount: string, minimumAmount: string } }, blocks: Array<{ chainId: number, number: number, hash: string }> } };

export type BalanceOfQueryVariables = Exact<{
  one: PriceInput;
  other: PriceInput;
  third: PriceInput;
}>;


export type BalanceOfQuery = { one: { details: { userBalance: string } }, other: { details: { userBalance: string } }, third: { details: { userBalance: string } } };

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
      id
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