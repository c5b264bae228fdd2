import { formatUnits } from 'viem'
import type { ShownProgress, ShownQuote, ShownStatus } from './gatewayClient.ts'

/** What is known while a request runs. */
export type Shown = Readonly<{
  quote: ShownQuote
  status: ShownStatus
  /** Since the quote was asked for. */
  seconds: number
  chainNames: ReadonlyMap<number, string>
}>

/** What was quoted, and how fast. */
export function quotedLine({ details, fees }: ShownQuote, milliseconds: number): string {
  const { currencyOut, timeEstimate } = details
  const { symbol, decimals } = currencyOut.currency
  const least = `${formatUnits(currencyOut.minimumAmount, decimals)} ${symbol}`
  return `Quoted in ${Math.round(milliseconds)} ms: at least ${least}, fees $${fees.relayer.amountUsd}, about ${timeEstimate} s`
}

/** The request as lines for a terminal: what is to be done, what was seen of it, and how it stands. */
export function progressLines({ quote, status, seconds, chainNames }: Shown): readonly string[] {
  const { currencyIn, currencyOut } = quote.details
  const line = (name: string, progress: ShownProgress) =>
    `  ${marks[progress.status] ?? '·'} ${name.padEnd(28)} ${placeOf(progress, chainNames)}`.trimEnd()
  const steps = status.steps.flatMap(({ id, items }) =>
    items.map((item, at) => line(items.length > 1 ? `${id} ${at + 1}` : id, item)),
  )
  // No fill comes any more; one that was sent is shown.
  const isGivenUp = status.refund !== null && status.fill?.transaction === null
  const reasons = [status.failReason, status.refundFailReason].filter((reason) => reason !== null)
  return [
    `${nameOf(currencyIn)} → ${nameOf(currencyOut)}   request ${quote.requestId}`,
    ...steps,
    ...(status.fill === null || isGivenUp ? [] : [line('fill by the solver', status.fill)]),
    ...(status.refund === null ? [] : [line('refund by the solver', status.refund)]),
    `  ${status.status}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''} after ${seconds.toFixed(1)} s`,
  ]
}

const marks: Readonly<Record<string, string>> = {
  waiting: '○',
  sent: '◔',
  seen: '◑',
  confirmed: '●',
  implied: '●',
}

const nameOf = ({ amountFormatted, currency }: ShownQuote['details']['currencyIn']): string =>
  `${amountFormatted} ${currency.symbol}`

function placeOf(
  { status, transaction }: ShownProgress,
  chainNames: ReadonlyMap<number, string>,
): string {
  if (transaction === null) return status
  const { chainId, hash, blockNumber, confirmations } = transaction
  const depth = confirmations === null ? '' : `, ${confirmations} deep`
  const block = blockNumber === null ? '' : ` in block ${blockNumber}${depth}`
  return `${status}: ${hash} on ${chainNames.get(chainId) ?? `chain ${chainId}`}${block}`
}
