import { depositUsd } from '#src/core/pricing/deposits/timeEstimate.ts'
import type { Market } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverMarket } from '#src/solver/ports.ts'

/** `unpriced`: at least one plain transfer has no price at the moment. */
export type UnrecordedWorth = 'within' | 'above' | 'unpriced'

/**
 * Compares the total value of a request's plain transfers on each chain with `unrecordedLimitUsd`. The depository has
 * no record of them, and pays them only from the part of its balance that no record covers.
 */
export const createUnrecordedLimit =
  ({ currencies }: SolverMarket) =>
  (deposits: readonly Deposit[], { chains }: Market): UnrecordedWorth => {
    const totals = new Map<ChainId, bigint>()
    for (const { chainId, currency, amount, record } of deposits) {
      if (record !== undefined) continue
      const market = chains.get(chainId)
      const known = currencies.known({ chainId, address: currency })
      const usd = market && known && depositUsd(market, known, amount)
      if (usd === undefined) return 'unpriced'
      totals.set(chainId, (totals.get(chainId) ?? 0n) + usd)
    }
    const isAbove = ([chainId, usd]: readonly [ChainId, bigint]) =>
      usd > (chains.get(chainId)?.chain.depositPolicy.unrecordedLimitUsd ?? 0n)
    return [...totals].some(isAbove) ? 'above' : 'within'
  }
