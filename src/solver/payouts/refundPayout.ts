import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { isSameVm } from '#src/core/units/account.ts'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import { isNative } from '#src/core/units/currency.ts'
import { toUsd, usdValueDown } from '#src/core/units/usd.ts'
import type { Payout } from '#src/protocol/calls/payout.ts'
import { type RefundProof, refundProofOf } from '#src/protocol/order/orderId.ts'
import type { ProtocolOrder } from '#src/protocol/order/protocolOrder.ts'
import type { RequestInput } from '#src/requests/quotedRequest.ts'
import { type Deposit, plainTransferOf } from '#src/requests/state/deposit.ts'
import { inputFundedBy, type StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import { recordedDeposit } from '#src/solver/depository/depositoryCalls.ts'

/** A deposit to refund. `request`: undefined for an unknown order. */
export type DueRefund = Readonly<{
  deposit: Deposit
  request: StoredRequest | undefined
  recipient: Account
}>

/**
 * The recipient of a deposit's refund. In a request with several inputs: the `refundTo` of the input that the deposit
 * funds, else of the most similar input on its chain, else the depositor. With one input: the request's `refundTo`, or
 * the depositor if the deposit came on a chain of another virtual machine.
 */
export function refundRecipientOf(request: StoredRequest, deposit: Deposit): Account {
  const { depositor } = deposit
  if (request.execution !== 'solver' || request.funding === undefined)
    return isSameVm(request.refundTo, depositor) ? request.refundTo : depositor
  const funded = request.inputs[inputFundedBy(request, deposit.depositId) ?? -1]
  const onSameChain = request.inputs.filter(({ chainId }) => chainId === deposit.chainId)
  const isOwn = ({ user }: RequestInput) => user === depositor
  const isOfCurrency = ({ depositCurrency }: RequestInput) => depositCurrency === deposit.currency
  const input =
    funded ??
    onSameChain.find((each) => isOwn(each) && isOfCurrency(each)) ??
    onSameChain.find(isOwn) ??
    onSameChain.find(isOfCurrency)
  return input === undefined ? depositor : input.refundTo
}

/** The order that proves the refund's recipient. The order id of a payment to an open address is no order hash. */
export const refundOrderOf = ({ orderId }: Deposit, request: StoredRequest | undefined) =>
  request !== undefined &&
  isSolverRequest(request) &&
  request.parentId === undefined &&
  request.orderId === orderId
    ? request.order
    : undefined

type Terms = Readonly<{
  /** The deposit's order, if it is known. */
  order: ProtocolOrder | undefined
  /** Name of the deposit's chain in orders. */
  chainName: string
  recipient: Account
  /** At most the deposit's amount. */
  amount: bigint
  /** May claim the rest of the deposit, which is the cost of the refund. */
  payee: Address
  /** Seconds since 1970. */
  expiration: bigint
}>

/** The payout that refunds a deposit. A recorded deposit goes to its depositor unless the order names `recipient`. */
export function refundPayout(deposit: Deposit, terms: Terms): Payout {
  const { order, chainName, amount, payee, expiration } = terms
  const wanted = evmAddress(terms.recipient)
  const [depositor, currency] = [evmAddress(deposit.depositor), evmAddress(deposit.currency)]
  const recorded = recordedDeposit(deposit)
  if (recorded === undefined) {
    const [txHash, logIndex] = plainTransferOf(deposit)
    const payments = [{ recipient: wanted, amount }]
    return { kind: 'unrecorded', txHash, logIndex, currency, payments, expiration }
  }
  const proof =
    wanted === depositor
      ? undefined
      : order && refundProofOf(order, wanted, { chainName, currency })
  const to: Readonly<{ recipient: Address; proof?: RefundProof }> =
    proof === undefined ? { recipient: depositor } : { recipient: wanted, proof }
  const owed = deposit.amount
  return {
    kind: 'refund',
    deposit: recorded,
    owed,
    ...to,
    amount,
    payee,
    cost: owed - amount,
    expiration,
  }
}

/** The outcome of pricing a refund. */
export type RefundAmount =
  | Readonly<{ kind: 'amount'; amount: Amount }>
  /** A price is missing: ask again later. */
  | Readonly<{ kind: 'noPrice' }>
  /** The gas costs more than the deposit at the moment. */
  | Readonly<{ kind: 'gasTooHigh' }>
  /** The deposit is worth at most ten cents and less than the gas, or the solver does not bridge its currency. */
  | Readonly<{ kind: 'dust' }>

/** Ten cents. A larger deposit is not given up because gas is expensive at the moment. */
export const dustUsd = toUsd(100_000n)

/**
 * The deposit minus the cost of the refund's transaction. The cost is rounded up, against the recipient. A currency
 * that the solver does not bridge cannot pay for gas, whatever its price: anybody can issue a currency.
 * @param market of the deposit's chain, with the assets that the solver bridges
 */
export function refundAmount(
  { chainId, currency, amount }: Pick<Deposit, 'chainId' | 'currency' | 'amount'>,
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
  size: TransactionSize,
): RefundAmount {
  const { native } = market.chain
  const wei = transactionCost(market.gas, size)
  const isWei = isWeiOn(market, currency)
  const price = market.usdPrices.get(isWei ? native.address : currency)
  const decimals = payingDecimals({ chainId, currency }, { assets }, market)
  if (decimals === undefined) return { kind: 'dust' }
  const cost = isWei ? wei : costIn(market, { price, decimals }, wei)
  if (cost === undefined) return { kind: 'noPrice' }
  if (cost < amount) return { kind: 'amount', amount: toAmount(amount - cost) }
  if (price === undefined) return { kind: 'noPrice' }
  return { kind: usdValueDown(amount, decimals, price) > dustUsd ? 'gasTooHigh' : 'dust' }
}

const isWeiOn = ({ chain }: ChainMarket, currency: Account): boolean =>
  isNative(currency) || currency === chain.wrappedNative

/** The decimals of a currency that can pay for gas. Undefined for one that the solver does not bridge. */
export function payingDecimals(
  { chainId, currency }: Pick<Deposit, 'chainId' | 'currency'>,
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
): number | undefined {
  if (isWeiOn(market, currency)) return market.chain.native.decimals
  return assets
    .map(({ currencies }) => currencies.get(chainId))
    .find((each) => each?.address === currency)?.decimals
}

function costIn(
  { chain: { native }, usdPrices }: ChainMarket,
  { price, decimals }: Readonly<{ price: bigint | undefined; decimals: number }>,
  wei: bigint,
): bigint | undefined {
  const nativePrice = usdPrices.get(native.address)
  if (nativePrice === undefined || price === undefined) return undefined
  return mulDivUp(
    wei,
    nativePrice * 10n ** BigInt(decimals),
    price * 10n ** BigInt(native.decimals),
  )
}
