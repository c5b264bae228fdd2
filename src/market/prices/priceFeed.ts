import { toUsdPrice, type UsdPrice, usdPriceDecimals } from '#src/units/usd.ts'

/** What a Chainlink aggregator's `latestRoundData` answers, in its order. */
export type Round = readonly [
  roundId: bigint,
  answer: bigint,
  startedAt: bigint,
  updatedAt: bigint,
  answeredInRound: bigint,
]

/**
 * The price that a feed's last round gives, rounded down.
 * @param at seconds since 1970, as `updatedAt`: the block's time.
 * @returns undefined where it must not be used: not positive, of a round that is not complete or was
 * answered by an earlier one, or older than its limit.
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
