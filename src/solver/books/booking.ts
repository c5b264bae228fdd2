import { payoutFor } from '#src/core/pricing/conversion.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd, type Usd, usdValueFloor } from '#src/core/units/usd.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Booking, SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { type FilledDeposit, payoutOf } from '#src/solver/depository/settlementPayouts.ts'
import type { PricedMarket } from '#src/solver/ports.ts'

/** The market of the transaction's chain, and the currencies of all chains. */
export type BookPrices = Readonly<{
  market: Pick<ChainMarket, 'chain' | 'usdPrices'>
  known: PricedMarket['currencies']['known']
}>

/** Amounts by currency, possibly negative. */
export type Amounts = ReadonlyMap<Account, bigint>

const dayMs = 86_400_000

/** The UTC day of a Unix time in milliseconds: days since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / dayMs)

/** The day of a transaction, and the value of its gas, rounded up. */
export const gasBooking = (
  transaction: SolverTransaction,
  gas: bigint,
  prices: BookPrices,
): Pick<Booking, 'day' | 'gas' | 'gasUsd'> => ({
  day: dayOfBlock(transaction),
  gas,
  gasUsd: costOf(prices, new Map([[prices.market.chain.native.address, gas]])),
})

/** The booking of a transaction of which neither receipt nor prices could be read in time. */
export function unknownBooking(transaction: SolverTransaction): Booking {
  const { purpose, status } = transaction
  const isFill = status === 'final' && purpose === 'fill'
  const isRefund = status === 'final' && purpose === 'refund'
  return {
    day: dayOfBlock(transaction),
    gas: null,
    gasUsd: null,
    ...(isFill && { volumeUsd: null, sponsoredUsd: toUsd(0n) }),
    ...((isFill || isRefund) && { feesUsd: null }),
  }
}

function dayOfBlock({ createdAt, mined }: SolverTransaction): number {
  const seconds = mined?.block.timestamp
  return dayOf(seconds === undefined ? createdAt : seconds * 1000)
}

/** A fill that succeeded, and everything that it is valued by. */
export type BookedFill = Readonly<{
  transaction: SolverTransaction
  /** What it took from the solver, by currency, without gas. */
  taken: Amounts
  /** Undefined if it is no longer stored. */
  request: SolverRequest | undefined
  /** The deposits that it was sent for. */
  filled: readonly FilledDeposit[]
}>

/**
 * Volume and fees of a fill. The deposits count one to one in the currency that the solver spent, as the fill itself
 * counts them: the difference between the price feeds of two chains is no profit.
 */
export function fillBooking(
  { transaction, taken, request, filled }: BookedFill,
  prices: BookPrices,
): Pick<Booking, 'volumeUsd' | 'feesUsd' | 'sponsoredUsd'> {
  const { known, market } = prices
  const volumeUsd = costOf(prices, taken)
  const sponsoredUsd = request?.subsidizedUsd ?? toUsd(0n)
  const unknown = { volumeUsd, feesUsd: null, sponsoredUsd }
  if (request === undefined || filled.length < transaction.depositIds.length) return unknown
  const { chainId } = transaction
  const payout = known({ chainId, address: request.fill.payoutCurrency })
  if (payout === undefined) return unknown
  let received = 0n
  for (const each of filled) {
    const deposit = known({ chainId: each.deposit.chainId, address: each.deposit.currency })
    if (deposit === undefined) return unknown
    received += payoutFor({ deposit, payout }, toAmount(payoutOf(each)))
  }
  const margins = new Map([...taken].map(([currency, amount]) => [currency, -amount]))
  const own = canonical(payout.address, market)
  margins.set(own, (margins.get(own) ?? 0n) + received)
  return { volumeUsd, feesUsd: worthOf(prices, margins), sponsoredUsd }
}

/**
 * What the depository kept of a refunded deposit for the cost of the refund: the solver can claim it, and the next
 * settlement brings it. A plain transfer leaves nothing to the solver.
 */
export function refundBooking(
  deposit: Deposit | undefined,
  prices: BookPrices,
): Pick<Booking, 'feesUsd'> {
  if (deposit?.paid === undefined) return { feesUsd: null }
  if (deposit.record === undefined) return { feesUsd: toUsd(0n) }
  const { paid, unpaid = [], amount, currency } = deposit
  const kept = [...paid, ...unpaid].reduce((rest, each) => rest - each.amount, BigInt(amount))
  return { feesUsd: worthOf(prices, new Map([[canonical(currency, prices.market), kept]])) }
}

/** The native currency in place of the wrapped one. */
export const canonical = (currency: Account, { chain }: BookPrices['market']): Account =>
  currency === chain.wrappedNative ? chain.native.address : currency

/** The value in dollars, each currency rounded down; null if a price is unknown. Nothing has the value 0. */
function worthOf({ market, known }: BookPrices, amounts: Amounts): Usd | null {
  let total = 0n
  for (const [address, amount] of amounts) {
    if (amount === 0n) continue
    const price = market.usdPrices.get(address)
    const currency = known({ chainId: market.chain.id, address })
    if (price === undefined || currency === undefined) return null
    total += usdValueFloor(amount, currency.decimals, price)
  }
  return toUsd(total)
}

/** As `worthOf`, rounded up. */
function costOf(prices: BookPrices, amounts: Amounts): Usd | null {
  const value = worthOf(prices, new Map([...amounts].map(([key, amount]) => [key, -amount])))
  return value === null ? null : toUsd(-value)
}
