// The gateway's answers to the documents of documents.js.

/** 0x and 40 hexadecimal digits in lower case, or 32 bytes in base58: by the virtual machine of the chain. */
type Address = string

export type Currency = Readonly<{
  chainId: number
  address: Address
  symbol: string
  name: string
  decimals: number
  metadata: Readonly<{ logoURI: string | null; verified: boolean }>
}>

export type Chain = Readonly<{
  chainId: number
  vmType: 'evm' | 'svm'
  displayName: string
  explorerUrl: string | null
  rpcUrl: string | null
  disabled: boolean
  nativeCurrency: Currency
  solverCurrencies: readonly Readonly<{ currency: Currency }>[]
}>

/** Amounts are integers in the smallest unit, as strings; `amountUsd` is null without a price. */
export type CurrencyAmount = Readonly<{
  currency: Currency
  amount: string
  amountFormatted: string
  amountUsd: string | null
  minimumAmount: string
}>

export type RouteHop = Readonly<{
  pool: Address
  /** Null for a pool with a contract of its own. */
  poolId: string | null
  swapSource: string
  feePips: number
  outputAddress: Address
  outputCurrency: Readonly<{ symbol: string; decimals: number }> | null
  outputAmount: string
  depth: string
}>

/** `share` is in basis points of the leg's input. */
export type RoutePath = Readonly<{ share: string; hops: readonly RouteHop[] }>

export type RouteLeg = Readonly<{
  inputCurrency: CurrencyAmount
  outputCurrency: CurrencyAmount
  paths: readonly RoutePath[]
}>

type Impact = Readonly<{ usd: string; percent: string }>

type Fees = Readonly<
  Record<'gas' | 'relayer' | 'relayerGas' | 'relayerService' | 'app', CurrencyAmount>
>

export type Price = Readonly<{
  details: Readonly<{
    operation: 'send' | 'swap' | 'wrap' | 'unwrap' | 'bridge'
    currencyIn: CurrencyAmount
    currencyOut: CurrencyAmount
    rate: string
    timeEstimate: number
    totalImpact: Impact | null
    swapImpact: Impact | null
    route: Readonly<{ origin: RouteLeg; destination: RouteLeg }>
  }>
  fees: Fees
  warnings: readonly Warning[]
}>

/** What the user should know before paying. `errorCode` is set for QUOTE_REFUSED: the error of a quote. */
export type Warning = Readonly<{
  code: string
  message: string
  data: Readonly<{ errorCode?: string }>
}>

/** The wrong fields, and the largest or the smallest amount that works, in the smallest unit of its currency. */
export type ErrorData = Readonly<{
  issues?: readonly Readonly<{ path: readonly (string | number)[] }>[]
  maxAmount?: string
  maxAmountCurrency?: Pick<Currency, 'chainId' | 'address'>
  minAmount?: string
  minAmountCurrency?: Pick<Currency, 'chainId' | 'address'>
}> | null

/** The input of `price` and `quote`. */
export type PriceInput = Readonly<{
  user: Address
  originChainId: number
  originCurrency: Address
  destinationChainId: number
  destinationCurrency: Address
  amount: string
  tradeType: 'EXACT_INPUT' | 'EXACT_OUTPUT'
  recipient?: Address
  refundTo?: Address
  slippageTolerance?: string
  referrer?: string
  usePermit?: boolean
}>

/** A transaction to sign; amounts are decimal strings in wei. */
export type Transaction = Readonly<{
  from: Address
  to: Address
  data: string
  value: string
  chainId: number
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}>

type Json = Readonly<Record<string, unknown>>

/** `typedData` is the JSON that wallets sign. `kind` is EIP3009, PERMIT2 or EIP2612. */
export type SignatureRequest = Readonly<{
  kind: string
  typedData: Readonly<{ domain: Json; types: Json; primaryType: string; message: Json }>
}>

/** `data` is in hexadecimal digits without 0x. The wallet adds a recent block hash. */
export type SvmTransaction = Readonly<{
  chainId: number
  payer: Address
  instructions: readonly Readonly<{
    programId: Address
    keys: readonly Readonly<{ pubkey: Address; isSigner: boolean; isWritable: boolean }>[]
    data: string
  }>[]
}>

/** A step has transactions, a signature, or a transaction of an svm chain. */
export type QuoteStep = Readonly<{
  action: string
  description: string
  signature: SignatureRequest | null
  items: readonly Readonly<{ data: Transaction }>[]
  svmTransaction: SvmTransaction | null
}>

export type Quote = Readonly<{
  requestId: string
  steps: readonly QuoteStep[]
  details: Readonly<{ currencyIn: CurrencyAmount; currencyOut: CurrencyAmount }>
}>

export type Progress = Readonly<{
  status: 'waiting' | 'signed' | 'sent' | 'seen' | 'confirmed' | 'reverted' | 'implied' | 'skipped'
  transaction: Readonly<{
    chainId: number
    hash: string
    explorerUrl: string | null
    blockNumber: number | null
    confirmations: number | null
  }> | null
}>

type RequestedAmount = Readonly<{
  chainId: number
  amountFormatted: string | null
  currency: Readonly<{ symbol: string }> | null
}>

/** What a transaction has paid, as the chain shows it. `claimable`: what its recipient refused, in the smallest unit. */
export type PaidAmount = Readonly<{
  chainId: number
  amountFormatted: string | null
  currency: Readonly<{ symbol: string; decimals: number }> | null
  txHash: string | null
  explorerUrl: string | null
  claimable: string | null
}>

export type RequestSummary = Readonly<{
  requestId: string
  status: 'waiting' | 'depositing' | 'pending' | 'submitted' | 'success' | 'failure' | 'refund'
  failReason: string | null
  quoteCreatedAtMs: number
  originChainId: number
  destinationChainId: number
  currencyIn: RequestedAmount
  currencyOut: RequestedAmount
  /** Null until it is confirmed, and if the chain does not show it. */
  paid: PaidAmount | null
}>

export type RequestStatus = RequestSummary &
  Readonly<{
    seq: number
    refundFailReason: string | null
    steps: readonly Readonly<{ description: string; items: readonly Progress[] }>[]
    fill: Progress | null
    refund: (Progress & Readonly<{ paid: PaidAmount | null }>) | null
  }>
