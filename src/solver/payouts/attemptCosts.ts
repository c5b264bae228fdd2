import { AppError } from '#src/errors.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import { sweepTransaction } from '#src/pricing/gas/transactionSize.ts'
import type { Market } from '#src/pricing/market.ts'
import { isReverted } from '#src/requests/state/cancelled.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { SolverDeps } from '#src/solver/solverDeps.ts'
import { nativeAddress } from '#src/units/address.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { isNative } from '#src/units/currency.ts'
import { mulDivUp } from '#src/units/mulDiv.ts'

/**
 * The cost of earlier transactions that a refund bears, in the deposit's currency at present prices, rounded up: the
 * gas of the solver's sweep that made the deposit, plus the gas of failed fills. Deposits of one request share the cost
 * of failed fills in proportion to their value. Undefined while a price is missing.
 */
export function createAttemptCosts({ store, market }: Pick<SolverDeps, 'store' | 'market'>) {
  /** The transactions of the open deposit address that received the deposit. */
  async function sweepsFor({ requestId }: Deposit): Promise<readonly SolverTransaction[]> {
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request?.execution !== 'solver' || request.parentId === undefined) return []
    return store.transactionsOf(request.parentId)
  }

  return async (deposit: Deposit): Promise<Amount | undefined> => {
    const { depositId, requestId } = deposit
    const transactions = requestId === undefined ? [] : await store.transactionsOf(requestId)
    const swept = sweepShare(deposit, [...transactions, ...(await sweepsFor(deposit))], market)
    if (swept === undefined) return undefined
    const failed = transactions.filter(
      (each) => each.purpose === 'fill' && isReverted(each) && each.depositIds.includes(depositId),
    )
    if (failed.length === 0) return swept
    const deposits = await store.findDeposits(failed.flatMap(({ depositIds }) => depositIds))
    const chainIds = [...new Set([...failed, ...deposits].map(({ chainId }) => chainId))]
    const seen = snapshotOf(market, chainIds)
    const share =
      seen && shareOf(depositId, { failed, deposits, pricesOf: createPrices(seen, market) })
    return share && toAmount(share + swept)
  }
}

/** Gas cost of the solver's sweep that made the deposit, in its currency, rounded up. 0 without one. */
function sweepShare(
  { txHash, chainId, currency }: Deposit,
  transactions: readonly SolverTransaction[],
  market: SolverDeps['market'],
): Amount | undefined {
  const isSweep = ({ purpose, attempts }: SolverTransaction) =>
    purpose === 'sweep' && attempts.some(({ hash }) => hash === txHash)
  if (!transactions.some(isSweep)) return toAmount(0n)
  const seen = snapshotOf(market, [chainId])
  const chain = seen?.chains.get(chainId)
  if (seen === undefined || chain === undefined) return undefined
  const pricesOf = createPrices(seen, market)
  const [native, own] = [
    pricesOf({ chainId, currency: nativeAddress }),
    pricesOf({ chainId, currency }),
  ]
  if (native === undefined || own === undefined) return undefined
  const wei = transactionCost(chain.gas, sweepTransaction(currency))
  return toAmount(mulDivUp(wei, native.price * own.unit, own.price * native.unit))
}

/** Undefined if a chain has no current market. */
function snapshotOf(
  market: SolverDeps['market'],
  chainIds: Parameters<SolverDeps['market']['snapshot']>[0],
): Market | undefined {
  try {
    return market.snapshot(chainIds)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** US dollars, with 18 decimals, for `unit` raw units of a currency. */
type Price = Readonly<{ price: bigint; unit: bigint }>
type PricesOf = (place: Pick<Deposit, 'chainId' | 'currency'>) => Price | undefined

function createPrices({ chains }: Market, { currencies }: SolverDeps['market']): PricesOf {
  return ({ chainId, currency }) => {
    const chain = chains.get(chainId)
    if (chain === undefined) return undefined
    const { native, wrappedNative } = chain.chain
    const isWei = isNative(currency) || currency === wrappedNative
    const price = chain.usdPrices.get(isWei ? nativeAddress : currency)
    const known = isWei ? native : currencies.known({ chainId, address: currency })
    if (price === undefined || known === undefined) return undefined
    return { price, unit: 10n ** BigInt(known.decimals) }
  }
}

/** The share of a deposit in the cost of failed fills, in its currency, rounded up. */
function shareOf(
  depositId: string,
  {
    failed,
    deposits,
    pricesOf,
  }: Readonly<{
    failed: readonly SolverTransaction[]
    deposits: readonly Deposit[]
    pricesOf: PricesOf
  }>,
): Amount | undefined {
  let cost = 0n
  for (const { chainId, failedCost = 0n } of failed) {
    const native = pricesOf({ chainId, currency: nativeAddress })
    if (native === undefined) return undefined
    cost += mulDivUp(failedCost, native.price, native.unit)
  }
  let totalValue = 0n
  let own: Readonly<{ value: bigint; price: Price }> | undefined
  for (const deposit of deposits) {
    const price = pricesOf(deposit)
    if (price === undefined) return undefined
    const value = mulDivUp(deposit.amount, price.price, price.unit)
    totalValue += value
    if (deposit.depositId === depositId) own = { value, price }
  }
  if (own === undefined || totalValue === 0n) return toAmount(0n)
  const share = mulDivUp(cost, own.value, totalValue)
  return toAmount(mulDivUp(share, own.price.unit, own.price.price))
}
