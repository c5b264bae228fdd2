import type { Route } from '#src/core/router/route.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { Bps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { MultiOrder, Order, TradeType } from './order.ts'

/** An amount of a currency, with its promised minimum and its USD value. */
export type CurrencyAmount = Readonly<{
  currency: Currency
  amount: Amount
  minimumAmount: Amount
  /** Rounded down to a millionth; `undefined` without a trustworthy price. */
  usd: Usd | undefined
}>

/** Fees by component. `relayer` = `relayerGas` + `relayerService`. Relayer and app fees together are rounded up. */
export type Fees = Readonly<{
  /**
   * Estimated gas of the user's own transaction on the origin chain, rounded up. It does not reduce the output. 0 if
   * the solver sends the transaction.
   */
  gas: CurrencyAmount
  relayer: CurrencyAmount
  /**
   * The cost of the fill on the destination chain, with its gas top-up, of the sweep of a deposit address, and of
   * sending a signed deposit. Rounded up.
   */
  relayerGas: CurrencyAmount
  /**
   * The flat and proportional fees of the solver, and the cost of the settlement. It takes the remainders of rounding.
   */
  relayerService: CurrencyAmount
  /** All app fees together, rounded up once. */
  app: CurrencyAmount
  /** The part that a sponsor pays: all of `relayer`, or 0. */
  subsidized: CurrencyAmount
}>

/** A gain, or a loss if negative, in US dollars and relative to the value of the input. */
export type Impact = Readonly<{
  usd: Usd
  /** Share of the value of currencyIn in 1/100 percent, rounded to nearest, half away from zero; 150n is 1.5%. */
  percentHundredths: bigint
}>

/** The shortfall that one leg may have against its expected output. */
export type Slippage = Readonly<{
  value: Amount
  usd: Usd | undefined
  /** value ÷ amount in 1/100 percent, rounded to nearest; 150n is 1.5%. */
  percentHundredths: bigint
}>

/** The part of a price on one chain. */
export type Leg = Readonly<{
  input: CurrencyAmount
  output: CurrencyAmount
  /** `undefined` without a swap; wrapping is not a swap. */
  route: Route | undefined
  /** The swap source of all hops; `crossquote` if there are several; `relay` without a swap. */
  router: string
  /** Names of the swap sources used, sorted. */
  swapSources: readonly string[]
}>

/** A priced origin: the input of one account on one chain, and its deposit into the depository. */
export type PricedOrigin = Readonly<{
  user: Account
  /** Gets refunds and leftovers of the swap on that chain. */
  refundTo: Account
  /** From the input of the user to the deposit. */
  leg: Leg
  /** For EXACT_OUTPUT exactly the output of the leg is deposited, and leftovers of its input go to `refundTo`. */
  tradeType: TradeType
  /** Whether the deposit calls the depository, instead of a transfer to it with the id appended. */
  explicitDeposit: boolean
  /** The net payout of the deposit: after proportional fees, before fixed ones; rounded down. */
  payoutAmount: Amount
  /**
   * The cost of the settlement of the deposit, in the payout currency, rounded up. It is a part of the service fee.
   */
  settlement: Amount
  /**
   * The cost of sending the signed deposit, in the payout currency, rounded up. It is a part of `relayerGas`. Absent
   * if the solver does not send it.
   */
  relayCost?: Amount
  /** The proportional fees of a deposit beyond the priced one, app fees included. No sponsor pays them. */
  surplusBps: Bps
  /**
   * The cost of the sweep, in the payout currency, rounded up. It is a part of `relayerGas`. Absent if the account
   * pays no deposit address.
   */
  sweep?: Amount
}>

export type Operation = 'send' | 'swap' | 'wrap' | 'unwrap' | 'bridge'

/** The price of an order on one market. Amounts are exact if nobody else trades in between. */
export type Price = Readonly<{
  operation: Operation
  sender: Account
  recipient: Account
  currencyIn: CurrencyAmount
  currencyOut: CurrencyAmount
  fees: Fees
  /** The value of currencyOut less that of currencyIn; `undefined` if either has no price. */
  totalImpact: Impact | undefined
  /** The impact of the swaps alone: relayer and app fees are added back. */
  swapImpact: Impact | undefined
  /** Whole units of currencyOut per whole unit of currencyIn: see `rateOf`. */
  rate: string
  slippageBps: Bps
  slippageTolerance: Readonly<{ origin: Slippage; destination: Slippage }>
  /** Seconds from the broadcast of the deposit to the payment. */
  timeEstimate: number
  /** From the input of the user to the deposit; if the user swaps alone, the whole swap. */
  origin: Leg
  /** From the payout of the solver to the output; if the user swaps alone, the same as `origin`. */
  destination: Leg
  /** The blocks of the priced market: origin first, then the destination if it is another chain. */
  blocks: readonly [PricedBlock, ...PricedBlock[]]
  order: Order
  /** `user`: the user swaps alone on one chain. `solver`: the solver fills after the deposit. */
  execution: 'user' | 'solver'
  /** The origin that pays in; empty if the user swaps alone. */
  pricedOrigins: readonly PricedOrigin[]
  /** Whether the fill waits for liquidity that the solver does not hold yet. */
  awaitsLiquidity: boolean
  /** Gas units of the user's own transaction, `originGasOverhead` included: its deposit, or its swap. An estimate. */
  transactionGas: bigint
  /**
   * The maximum cost for the solver of sending the signed transaction, in native currency. Absent if it does not send
   * it.
   */
  relayCost?: CurrencyAmount
  /** The amount of a refund: the deposit; if the user swaps alone, the input. */
  refundCurrency: CurrencyAmount
  /** The gas top-up of the recipient in native currency; `undefined` if the order has none. */
  currencyGasTopup: CurrencyAmount | undefined
  expandedPriceImpact: ExpandedPriceImpact
  /** Whether the output is promised to the unit: an exact output of the same asset, or `fixedRate`. */
  isFixedRate: boolean
  /** The cost of `fixedRate`; `undefined` without one or without a price. */
  fixedRateFee: Usd | undefined
}>

/** The total impact by component; `undefined` without prices. */
export type ExpandedPriceImpact = Readonly<
  Record<'swap' | 'execution' | 'service' | 'app' | 'sponsored', Usd | undefined>
>

export type PricedBlock = Readonly<{
  chainId: ChainId
  number: bigint
  hash: BlockHash
  /** Seconds since 1970. */
  timestamp: bigint
}>

/**
 * The price of a multi-input order on one market. Its origins can be on several chains, so its totals are in currencies
 * of the destination chain: `currencyIn` is the value of the inputs in the destination currency, relayer fees are in
 * the payout currency, and `fees.gas` is in the native currency.
 */
export type MultiPrice = Readonly<
  Pick<
    Price,
    | 'operation'
    | 'sender'
    | 'recipient'
    | 'currencyIn'
    | 'currencyOut'
    | 'fees'
    | 'totalImpact'
    | 'swapImpact'
    | 'rate'
    | 'slippageBps'
    | 'slippageTolerance'
    | 'timeEstimate'
    | 'destination'
    | 'blocks'
  > & {
    order: MultiOrder
    /**
     * The origins that pay in, in the order of their steps: by chain, currency, account and amount. For an exact
     * output, the origin that pays exactly the missing amount comes last.
     */
    pricedOrigins: readonly [PricedOrigin, ...PricedOrigin[]]
    /**
     * currencyOut by the arrival time (seconds) of the deposits that pay for it, earliest first, one entry per time.
     */
    breakdown: readonly Readonly<{ value: Amount; timeEstimate: number }>[]
    /** The value of an amount of one origin of the order in the destination currency, rounded down. */
    originValueOf: (origin: MultiOrder['origins'][number], amount: Amount) => Amount
  }
>
