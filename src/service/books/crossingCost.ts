import { AppError } from '#src/core/errors.ts'
import { requireUsdQuoted } from '#src/core/pricing/conversion.ts'
import { createAssetPair } from '#src/core/pricing/crossChain/assetPair.ts'
import { shareUp } from '#src/core/pricing/fees/relayFees.ts'
import { minFillCost } from '#src/core/pricing/fees/solverCosts.ts'
import { marketOf } from '#src/core/pricing/market.ts'
import { toUsd, type Usd, usdValueFloor } from '#src/core/units/usd.ts'
import type { MarketSnapshots } from '#src/market/markets.ts'
import type { AdvisedMove } from './inventory.ts'

const anySource = { excluded: new Set<string>() }

/** The terms of a plain bridge of one asset, without swaps. */
const plainTerms = {
  tradeType: 'EXACT_INPUT',
  appFees: [],
  explicitDeposit: true,
  disableOriginSwaps: true,
  txs: [],
  swapSources: { origin: anySource, destination: anySource },
} as const

/** Value of a move and its cost, in US dollars. Undefined: unknown, as a price is missing or a market is stale. */
export type MoveCost = Readonly<{ usd: Usd | undefined; costUsd: Usd | undefined }>

/**
 * What this gateway itself charges for the crossing that a move makes: the gas of fill and settlement and the fee
 * schedule, rounded up. A bridge that the operator uses may cost more or less.
 */
export function crossingCost(
  { snapshot }: MarketSnapshots,
  { from, to, amount }: AdvisedMove,
): MoveCost {
  try {
    const market = snapshot([from.chainId, to.chainId])
    const chains = { origin: marketOf(market, from), destination: marketOf(market, to) }
    const { decimals, price } = requireUsdQuoted(chains.origin, from)
    const usd = usdValueFloor(amount, decimals, price)
    const terms = { ...plainTerms, origin: from, destination: to }
    const pair = createAssetPair(market, terms, chains, { deposit: from, payout: to })
    const cost = pair.flat + minFillCost(pair, to) + shareUp(amount, pair.bps)
    return { usd, costUsd: toUsd(-usdValueFloor(-cost, decimals, price)) }
  } catch (error) {
    if (error instanceof AppError) return { usd: undefined, costUsd: undefined }
    throw error
  }
}
