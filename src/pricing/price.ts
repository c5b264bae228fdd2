import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { Bps } from '#src/units/bps.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'
import type { Usd } from '#src/units/usd.ts'
import type { Order, TradeType } from './order.ts'
import type { Route } from './router/route.ts'

/** An amount of a currency with what it is worth and the least that is promised of it. */
export type CurrencyAmount = Readonly<{
  currency: Currency
  amount: Amount
  minimumAmount: Amount
  /** Rounded down to a millionth; absent where no trustworthy price is known. */
  usd: Usd | undefined
}>

/** Fee by component: see PROTOCOL's table. `relayer` = `relayerGas` + `relayerService`. */
export type Fees = Readonly<{
  /** Gas that the user's own wallet pays on the origin chain: not taken from the output. */
  gas: CurrencyAmount
  relayer: CurrencyAmount
  /** What the fill costs on the destination chain. */
  relayerGas: CurrencyAmount
  /** The solver's own charge. */
  relayerService: CurrencyAmount
  /** All app fees together. */
  app: CurrencyAmount
  /** What a sponsor pays of the above. */
  subsidized: CurrencyAmount
}>

/** A gain or, negative, a loss in US dollars, as a share of the input's worth. */
export type Impact = Readonly<{
  usd: Usd
  /** Of currencyIn's worth, rounded to nearest 1/100 percent, half away from zero; 150n is 1.5%. */
  percentHundredths: bigint
}>

/** How much less than expected one leg may give. */
export type Slippage = Readonly<{
  value: Amount
  usd: Usd | undefined
  /** value ÷ amount in 1/100 percent, rounded down; 150n is 1.5%. */
  percentHundredths: bigint
}>

/** A route's part on one chain. */
export type Leg = Readonly<{
  input: CurrencyAmount
  output: CurrencyAmount
  /** Absent where nothing is swapped: wrapping is not a swap. */
  route: Route | undefined
  /** The swap source of every hop, `crossquote` where several share the leg, `relay` without a swap. */
  router: string
  /** Names of the swap sources used, sorted. */
  swapSources: readonly string[]
}>

/** What one account pays in on one chain, up to what the depository there receives of it. */
export type Funding = Readonly<{
  user: Address
  /** Is paid back there, and gets there what the swap leaves over. */
  refundTo: Address
  /** From what the user pays to the deposit. */
  leg: Leg
  /** What its amount means: for an EXACT_OUTPUT no more than the leg's output is deposited. */
  tradeType: TradeType
  /** Whether the deposit calls the depository, rather than sending to it with the id appended. */
  explicitDeposit: boolean
  /** What the deposit adds to what the solver spends, the costs that do not depend on it aside; rounded down. */
  payoutAmount: Amount
}>

export type Operation = 'send' | 'swap' | 'wrap' | 'unwrap' | 'bridge'

/** What an order comes to on one market. Amounts are exact when nothing trades in between. */
export type Price = Readonly<{
  operation: Operation
  sender: Address
  recipient: Address
  currencyIn: CurrencyAmount
  currencyOut: CurrencyAmount
  fees: Fees
  /** currencyOut's worth less currencyIn's; absent where either has no price. */
  totalImpact: Impact | undefined
  /** The same with relayer and app fees added back: the swaps alone. */
  swapImpact: Impact | undefined
  /** Whole units of currencyOut for one whole unit of currencyIn: see `rateOf`. */
  rate: string
  slippageBps: Bps
  slippageTolerance: Readonly<{ origin: Slippage; destination: Slippage }>
  /** Seconds from the deposit's broadcast to the payment. */
  timeEstimate: number
  /** What the user pays in, up to what the depository receives; on one chain, the whole swap. */
  origin: Leg
  /** What the solver spends, up to what the recipient gets; on one chain, the same as `origin`. */
  destination: Leg
  /** The blocks whose state all of this follows from: origin first, then the destination if another. */
  blocks: readonly [PricedBlock, ...PricedBlock[]]
  order: Order
  /** Who swaps: the user alone on one chain, or the solver once the depository has the deposit. */
  execution: 'user' | 'solver'
  /** What is paid in for the solver to fill: one; none where the user swaps alone. */
  fundings: readonly Funding[]
  /** What the depository receives and a refund pays back; what the user pays in where it swaps alone. */
  refundCurrency: CurrencyAmount
  /** Native currency that the recipient gets on top; absent where none was asked for. */
  currencyGasTopup: CurrencyAmount | undefined
  expandedPriceImpact: ExpandedPriceImpact
  /** Whether the output is promised to the unit: the same asset for an exact output, or `fixedRate`. */
  isFixedRate: boolean
  /** What `fixedRate` comes to; absent without one or without a price. */
  fixedRateFee: Usd | undefined
}>

/** What moved the output's worth away from the input's, by component: see PROTOCOL; absent without prices. */
export type ExpandedPriceImpact = Readonly<
  Record<'swap' | 'execution' | 'service' | 'app' | 'sponsored', Usd | undefined>
>

export type PricedBlock = Readonly<{
  chainId: ChainId
  number: bigint
  hash: `0x${string}`
  /** Seconds since 1970. */
  timestamp: bigint
}>
