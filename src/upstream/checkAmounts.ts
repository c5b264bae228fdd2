import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { type Bps, shareDown, wholeBps } from '#src/core/units/bps.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { Usd } from '#src/core/units/usd.ts'
import type { Asked } from './asked.ts'
import { refuseAnswer } from './upstreamErrors.ts'

type Ends = Readonly<{ currencyIn: CurrencyAmount; currencyOut: CurrencyAmount }>

/** Millionths of a US dollar. Smaller differences may consist of rounding only. */
const minDifference = 10_000n

/**
 * Refuses amounts that do not match the request: other currencies, another input or output, or a minimum below the
 * slippage tolerance.
 * @throws UpstreamAnswerError
 */
export function checkAmounts({ currencyIn, currencyOut }: Ends, asked: Asked): void {
  checkCurrency(currencyIn.currency, asked.originChainId, asked.originCurrency, 'currencyIn')
  const { destinationChainId, destinationCurrency } = asked
  checkCurrency(currencyOut.currency, destinationChainId, destinationCurrency, 'currencyOut')
  const { amount, minimumAmount } = currencyOut
  if (currencyIn.amount === 0n || amount === 0n) refuseAnswer('an amount is 0')
  if (minimumAmount > amount) refuseAnswer('currencyOut.minimumAmount is above the amount')
  if (asked.tradeType === 'EXACT_INPUT' && currencyIn.amount !== asked.amount)
    refuseAnswer('currencyIn.amount is not the exact input')
  if (asked.tradeType !== 'EXACT_INPUT' && amount !== asked.amount)
    refuseAnswer('currencyOut.amount is not the requested output')
  if (asked.tradeType === 'EXACT_OUTPUT' && minimumAmount !== amount)
    refuseAnswer('currencyOut.minimumAmount is not the exact output')
  if (minimumAmount < minimumWith(amount, asked.slippageTolerance))
    refuseAnswer('currencyOut.minimumAmount is below the slippage tolerance')
}

/** Largest tolerance that a service may choose if the caller gives none: 10 %. */
const automaticBps = 1_000n as Bps

/** The lowest minimum that the tolerance allows. The tolerated share is rounded down, so the minimum is rounded up. */
export const minimumWith = (amount: Amount, tolerance: Bps | null | undefined): bigint =>
  amount - shareDown(amount, tolerance ?? automaticBps)

function checkCurrency(found: Currency, chainId: number, address: string, field: string): void {
  if (found.chainId !== chainId || found.address !== address)
    refuseAnswer(`${field} is another currency than requested`)
}

/**
 * Refuses values that differ from our own prices, and an output that is worth more than the input.
 * @param own values by our own prices; `undefined` if we have none
 * @throws UpstreamAnswerError
 */
export function checkValues(
  given: Readonly<{ in: Usd | undefined; out: Usd | undefined }>,
  own: Readonly<{ in: Usd | undefined; out: Usd | undefined }>,
  maxDifference: Bps,
): void {
  for (const side of ['in', 'out'] as const) {
    const [theirs, ours] = [given[side], own[side]]
    if (theirs === undefined || ours === undefined) continue
    if (isApart(theirs, ours, maxDifference))
      refuseAnswer(
        `the value of currency${side === 'in' ? 'In' : 'Out'} differs from our own prices`,
      )
  }
  const [paid, received] = [own.in ?? given.in, own.out ?? given.out]
  if (paid !== undefined && received !== undefined && received > paid)
    if (isApart(received, paid, maxDifference))
      refuseAnswer('the output is worth more than the input')
}

/** Whether `value` differs from `reference` by more than `share` of `reference`. */
function isApart(value: bigint, reference: bigint, share: Bps): boolean {
  const difference = value > reference ? value - reference : reference - value
  return difference > minDifference && difference * wholeBps > share * reference
}
