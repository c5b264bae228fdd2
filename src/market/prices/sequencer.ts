import { AppError } from '#src/core/errors.ts'
import type { ChainMarket, SequencerState } from '#src/core/pricing/market.ts'
import { toUsdPrice, type UsdPrice, usdPriceDecimals } from '#src/core/units/usd.ts'

/**
 * The state of a rollup's sequencer by the last round of Chainlink's uptime feed: 0 is up and 1 is down, since
 * `startedAt`. The sequencer counts as down if the feed does not answer or answers anything else.
 * @param limits `at` is the block's timestamp, in seconds since 1970.
 * @source docs.chain.link, L2 Sequencer Uptime Feeds: `startedAt` is 0 while Arbitrum's feed is not initialized.
 */
export function sequencerState(
  round: Round | undefined,
  { at, graceSeconds }: Readonly<{ at: bigint; graceSeconds: number }>,
): SequencerState {
  if (round === undefined) return { status: 'down', isKnown: false }
  const [, answer, startedAt] = round
  const isValid = (answer === 0n || answer === 1n) && startedAt > 0n && startedAt <= at
  if (!isValid) return { status: 'down', isKnown: false }
  if (answer === 1n) return { status: 'down', isKnown: true }
  const trustedAt = startedAt + BigInt(graceSeconds)
  return at < trustedAt ? { status: 'recovering', trustedAt } : { status: 'up' }
}

/**
 * Throws while prices of the chain are not trusted. The message does not change during an outage, so that a live price
 * sends it once.
 * @throws AppError SERVICE_UNAVAILABLE unless the sequencer of the chain is up, or the chain has no feed of it.
 */
export function refuseOutage({ chain, sequencer }: ChainMarket, displayName: string): void {
  if (sequencer === undefined || sequencer.status === 'up') return
  throw new AppError('SERVICE_UNAVAILABLE', `${wordsOf(sequencer, displayName)}.`, {
    chainId: chain.id,
    sequencer: sequencer.status,
    ...(sequencer.status === 'recovering' && { trustedAt: Number(sequencer.trustedAt) }),
  })
}

function wordsOf(
  sequencer: Exclude<SequencerState, { status: 'up' }>,
  displayName: string,
): string {
  if (sequencer.status === 'recovering')
    return `The sequencer of ${displayName} was down: its prices are trusted again from ${timeOf(sequencer.trustedAt)} on`
  return sequencer.isKnown
    ? `The sequencer of ${displayName} is down: its prices are not trusted`
    : `The uptime feed of the sequencer of ${displayName} gives no usable answer: its prices are not trusted`
}

const timeOf = (seconds: bigint): string => new Date(Number(seconds) * 1000).toISOString()

/** The return values of `latestRoundData` of a Chainlink aggregator. */
export type Round = readonly [
  roundId: bigint,
  answer: bigint,
  startedAt: bigint,
  updatedAt: bigint,
  answeredInRound: bigint,
]

/**
 * The price of a feed's last round, rounded down.
 * @param limits `at` is the block's timestamp, in seconds since 1970 like `updatedAt`.
 * @returns undefined if the answer must not be used: it is not positive, its round is incomplete or carried over from
 * an earlier one, or it is too old.
 */
export function feedPrice(
  [roundId, answer, , updatedAt, answeredInRound]: Round,
  decimals: number,
  limits: Readonly<{ at: bigint; maxAgeSeconds: number }>,
): UsdPrice | undefined {
  const isComplete = updatedAt > 0n && answeredInRound >= roundId
  if (!isComplete || limits.at - updatedAt > BigInt(limits.maxAgeSeconds) || answer <= 0n)
    return undefined
  const price =
    decimals <= usdPriceDecimals
      ? answer * 10n ** BigInt(usdPriceDecimals - decimals)
      : answer / 10n ** BigInt(decimals - usdPriceDecimals)
  return price === 0n ? undefined : toUsdPrice(price)
}
