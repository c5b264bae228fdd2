import type { AppError, ErrorData } from '#src/core/errors.ts'
import { spotPrice } from '#src/core/pools/pool.ts'
import { poolIdOf } from '#src/core/pools/poolKind.ts'
import type { Fees, Leg, MultiPrice, Price } from '#src/core/pricing/price.ts'
import type { Hop } from '#src/core/router/route.ts'
import type { Account } from '#src/core/units/address.ts'
import { type Bps, wholeBps } from '#src/core/units/bps.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { type Currency, currencyKey } from '#src/core/units/currency.ts'
import { formatUsd, toUsd, type Usd } from '#src/core/units/usd.ts'
import { swapLossOf } from '#src/service/order/priceChecks.ts'

/** `CRITICAL`: the user probably loses money, or the quote is refused. */
export type WarningSeverity = 'INFO' | 'WARNING' | 'CRITICAL'

/** Every code of a warning. Codes keep their meaning; new ones may come. */
type WarningCode =
  | 'QUOTE_REFUSED'
  | 'SWAP_IMPACT'
  | 'SWAP_IMPACT_UNKNOWN'
  | 'THIN_LIQUIDITY'
  | 'HIGH_FEES'
  | 'UNVERIFIED_CURRENCY'
  | 'RECIPIENT_IS_CONTRACT'
  | 'RECIPIENT_WITHOUT_CODE'

/** What a user should know before paying. */
export type Warning = Readonly<{
  code: WarningCode
  severity: WarningSeverity
  /** For people, in whole English sentences. */
  message: string
  /** The values in the message, for programs. */
  data: ErrorData
}>

/** The part of a price that warnings depend on. */
type WarnedPrice = Pick<Price, 'currencyIn' | 'fees' | 'swapImpact' | 'destination'> &
  (Pick<Price, 'origin'> | Pick<MultiPrice, 'pricedOrigins'>)

type Facts = Readonly<{
  /** Largest loss of the swaps that a quote accepts, as a share of the input’s value. */
  maxSwapImpact: Bps
  /** Why a quote of the same input is refused on the same market. */
  refusal?: AppError | undefined
}>

/** Losses and fees below this share of the input’s value, and losses that may be rounding, need no warning. */
const warnedBps = 300n
const minWarnedUsd = 10_000n

/** The warnings of a price that follow from the price alone, the most important ones first. Reads nothing. */
export function warningsOf(
  price: WarnedPrice,
  { maxSwapImpact, refusal }: Facts,
): readonly Warning[] {
  const legs = legsOf(price)
  return [
    ...(refusal === undefined ? [] : [quoteRefused(refusal)]),
    ...swapImpactOf(price, legs, maxSwapImpact),
    ...thinLiquidityOf(legs),
    ...highFeesOf(price),
    ...unverifiedOf(legs),
  ]
}

const legsOf = (price: WarnedPrice): readonly Leg[] => {
  const origins = 'origin' in price ? [price.origin] : price.pricedOrigins.map(({ leg }) => leg)
  // A user's own swap is one leg.
  return [...new Set([...origins, price.destination])]
}

const quoteRefused = ({ code, message, data = {} }: AppError): Warning => ({
  code: 'QUOTE_REFUSED',
  severity: 'CRITICAL',
  message: `A quote is refused: ${message}`,
  data: { ...data, errorCode: code },
})

function swapImpactOf(
  price: WarnedPrice,
  legs: readonly Leg[],
  maxSwapImpact: Bps,
): readonly Warning[] {
  const found = swapLossOf(price)
  if (found === undefined) return unknownImpactOf(legs)
  const { loss, of } = found
  if (loss < minWarnedUsd || loss * wholeBps < warnedBps * of) return []
  const percent = percentOf(-loss, of)
  return [
    {
      code: 'SWAP_IMPACT',
      severity: loss * wholeBps > maxSwapImpact * of ? 'CRITICAL' : 'WARNING',
      message: `The swaps lose $${dollarsOf(loss)} of the input’s value: ${percent}%. Fees are not included.`,
      data: { usd: formatUsd(toUsd(-loss)), percent },
    },
  ]
}

/** Without a swap nothing is lost to pools. */
function unknownImpactOf(legs: readonly Leg[]): readonly Warning[] {
  if (legs.every(({ route }) => route === undefined)) return []
  const unpriced = legs
    .flatMap(({ input, output }) => [input, output])
    .filter(({ usd }) => usd === undefined)
    .map(({ currency }) => currency)
  return [
    {
      code: 'SWAP_IMPACT_UNKNOWN',
      severity: 'WARNING',
      message: 'It is unknown how much value the swaps lose, because a currency has no price.',
      data: { currencies: placesOf(unpriced) },
    },
  ]
}

/** Pools whose own price the amount moves: known even for currencies without a US dollar price. */
function thinLiquidityOf(legs: readonly Leg[]): readonly Warning[] {
  const hops = legs.flatMap(({ route }) => route?.paths.flatMap((path) => path.hops) ?? [])
  const pools = hops.flatMap((hop) => {
    const loss = shortfallOf(hop)
    if (loss === undefined || loss < warnedBps) return []
    const { pool } = hop
    return [{ chainId: pool.chainId, pool: poolIdOf(pool), percent: hundredths(-loss) }]
  })
  if (pools.length === 0) return []
  const count =
    pools.length === 1 ? 'A pool of the route is' : `${pools.length} pools of the route are`
  return [
    {
      code: 'THIN_LIQUIDITY',
      severity: 'WARNING',
      message: `${count} shallow for this amount. A smaller amount gets a better rate.`,
      data: { pools },
    },
  ]
}

/** The output that a hop lacks against the price of its pool before the fee, in bps, rounded down. */
function shortfallOf({ pool, zeroForOne, amountIn, amountOut }: Hop): bigint | undefined {
  const spot = spotPrice(pool, zeroForOne)
  if (spot === undefined) return undefined
  const atSpot = (amountIn * spot.numerator) / spot.denominator
  return atSpot <= amountOut ? 0n : ((atSpot - amountOut) * wholeBps) / atSpot
}

/** All fees that the user pays, the gas of the user's own transactions included; `undefined` if one has no price. */
export function totalFeesUsd({ gas, relayer, app, subsidized }: Fees): Usd | undefined {
  const values = [gas, relayer, app, subsidized].map(({ amount, usd }) =>
    amount === 0n ? 0n : usd,
  )
  const [gasUsd, relayerUsd, appUsd, subsidizedUsd] = values
  if (gasUsd === undefined || relayerUsd === undefined) return undefined
  if (appUsd === undefined || subsidizedUsd === undefined) return undefined
  return toUsd(gasUsd + relayerUsd + appUsd - subsidizedUsd)
}

function highFeesOf({ fees, currencyIn }: WarnedPrice): readonly Warning[] {
  const total = totalFeesUsd(fees)
  if (total === undefined || currencyIn.usd === undefined) return []
  if (total < minWarnedUsd || total * wholeBps < warnedBps * currencyIn.usd) return []
  const percent = percentOf(total, currencyIn.usd)
  return [
    {
      code: 'HIGH_FEES',
      severity: 'WARNING',
      message: `All fees together are $${dollarsOf(total)}: ${percent}% of the input’s value.`,
      data: { usd: formatUsd(total), percent },
    },
  ]
}

function unverifiedOf(legs: readonly Leg[]): readonly Warning[] {
  const ends = [...legs.slice(0, -1), legs[0]].flatMap((leg) => leg?.input.currency ?? [])
  const output = legs.at(-1)?.output.currency
  const unverified = [...ends, ...(output === undefined ? [] : [output])].filter(
    ({ metadata }) => !metadata.verified && !metadata.isNative,
  )
  return distinct(unverified).map((currency) => ({
    code: 'UNVERIFIED_CURRENCY',
    severity: 'WARNING',
    message: `${currency.symbol} on chain ${currency.chainId} is in no token list of this service. Anybody can create a currency of that name: check its address.`,
    data: { chainId: currency.chainId, currency: currency.address },
  }))
}

const distinct = (currencies: readonly Currency[]): readonly Currency[] => [
  ...new Map(currencies.map((currency) => [currencyKey(currency), currency])).values(),
]

const placesOf = (currencies: readonly Currency[]) =>
  distinct(currencies).map(({ chainId, address }) => ({ chainId, currency: address }))

type Party = Readonly<{
  chainId: ChainId
  account: Account
  /** Whether the account is a contract; an account that delegates (EIP-7702) is none. `undefined` if no node tells. */
  isContract: boolean | undefined
}>

/** The warnings of a payment to an account of another kind than the user expects. */
export function recipientWarningsOf(user: Party, recipient: Party): readonly Warning[] {
  const isOwn = user.account === recipient.account
  const { chainId, account } = recipient
  const data = { chainId, recipient: account }
  if (isOwn && user.isContract === true && recipient.isContract === false)
    return [
      {
        code: 'RECIPIENT_WITHOUT_CODE',
        severity: 'CRITICAL',
        message: `${account} is a contract wallet on chain ${user.chainId}, but has no code on chain ${chainId}. Its owner may have no access to the payment: set another recipient.`,
        data,
      },
    ]
  if (recipient.isContract !== true || (isOwn && user.isContract === true)) return []
  return [
    {
      code: 'RECIPIENT_IS_CONTRACT',
      severity: 'INFO',
      message: `${account} is a contract on chain ${chainId}. Make sure that it can use what it receives.`,
      data,
    },
  ]
}

/** In cents, for people. */
const dollarsOf = (usd: bigint): string => formatUsd(toUsd(usd)).slice(0, -4)

/** `part` of `whole` in percent with two decimals. */
const percentOf = (part: bigint, whole: bigint): string =>
  ((Number(part) / Number(whole)) * 100).toFixed(2)

const hundredths = (bps: bigint): string => (Number(bps) / 100).toFixed(2)
