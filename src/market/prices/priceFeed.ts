import { toUsdPrice, type UsdPrice, usdPriceDecimals } from '#src/core/units/usd.ts'

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
