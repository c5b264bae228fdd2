import { formatUnits } from 'viem'
import type { ShownProgress, ShownQuote, ShownStatus } from './gatewayClient.ts'

/** The state of a running request. */
export type Shown = Readonly<{
  quote: ShownQuote
  status: ShownStatus
  /** Seconds since the request for the quote. */
  seconds: number
  chainNames: ReadonlyMap<number, string>
}>

/** A line with the quote and its latency. */
export function quotedLine({ details, fees }: ShownQuote, milliseconds: number): string {
  const { currencyOut, timeEstimate } = details
  const { symbol, decimals } = currencyOut.currency
  const minimum = `${formatUnits(currencyOut.minimumAmount, decimals)} ${symbol}`
  return `Quoted in ${Math.round(milliseconds)} ms: at least ${minimum}, fees $${fees.relayer.amountUsd}, about ${timeEstimate} s`
}

/** The request as lines for a terminal: its steps with their transactions, its fill or refund, and its status. */
export function progressLines({ quote, status, seconds, chainNames }: Shown): readonly string[] {
  const { currencyIn, currencyOut } = quote.details
  const line = (name: string, progress: ShownProgress) =>
    `  ${marks[progress.status] ?? '·'} ${name.padEnd(28)} ${placeOf(progress, chainNames)}`.trimEnd()
  const steps = status.steps.flatMap(({ name, items }) =>
    items.map((item, at) => line(items.length > 1 ? `${name} ${at + 1}` : name, item)),
  )
  // A refunded request gets no fill, unless the fill was sent before the refund.
  const isFillAbandoned = status.refund !== null && status.fill?.transaction === null
  const reasons = [status.failReason, status.refundFailReason].filter((reason) => reason !== null)
  return [
    `${nameOf(currencyIn)} → ${nameOf(currencyOut)}   request ${quote.requestId}`,
    ...steps,
    ...(status.fill === null || isFillAbandoned ? [] : [line('fill by the solver', status.fill)]),
    ...(status.refund === null ? [] : [line('refund by the solver', status.refund)]),
    `  ${status.status}${reasons.length > 0 ? ` (${reasons.join(', ')})` : ''} after ${seconds.toFixed(1)} s`,
  ]
}

const marks: Readonly<Record<string, string>> = {
  waiting: '○',
  sent: '◔',
  seen: '◑',
  confirmed: '●',
  reverted: '✗',
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
