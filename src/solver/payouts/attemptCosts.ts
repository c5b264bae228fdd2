import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { isReverted } from '#src/requests/state/solverTransaction.ts'
import { currentMarket } from '#src/solver/chainView.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import { gasBearers } from './gasBearers.ts'

type Ports = Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** Gas of one transaction, and the deposits that bear it in proportion to their value. */
type Charge = Readonly<{ chainId: ChainId; wei: bigint; depositIds: readonly string[] }>

/**
 * The cost of earlier transactions that a refund bears by `gasBearers`, in the deposit's currency at present prices,
 * rounded up: the gas of the sweep or permit that made the deposit, as its receipt has it, and of failed transactions
 * for the deposit or its request. Several deposits share a cost. Undefined while a price or a receipt is missing.
 */
export function createAttemptCosts({ store, market, client }: Ports) {
  /** The transactions of the open deposit address that received the deposit. */
  async function sweepsFor({ requestId }: Deposit): Promise<readonly SolverTransaction[]> {
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request?.execution !== 'solver' || request.parentId === undefined) return []
    return store.transactionsOf(request.parentId)
  }

  /** The charge of the solver's transaction that made the deposit. Empty without one. */
  async function makingOf(
    { txHash, chainId }: Deposit,
    transactions: readonly SolverTransaction[],
    deposits: readonly Deposit[],
  ): Promise<readonly Charge[] | undefined> {
    const isBorne = ({ purpose, attempts }: SolverTransaction) =>
      gasBearers[purpose].refunded === 'deposit' && attempts.some(({ hash }) => hash === txHash)
    if (!transactions.some(isBorne)) return []
    const receipt = await readReceipt(client, txHash)
    if (receipt === undefined) return undefined
    const made = deposits.filter((each) => each.txHash === txHash)
    return [{ chainId, wei: receipt.cost, depositIds: made.map(({ depositId }) => depositId) }]
  }

  return async (deposit: Deposit): Promise<Amount | undefined> => {
    const { depositId, requestId } = deposit
    const [transactions, siblings] =
      requestId === undefined
        ? [[], [deposit]]
        : await Promise.all([store.transactionsOf(requestId), store.depositsOf(requestId)])
    const all = [...transactions, ...(await sweepsFor(deposit))]
    const making = await makingOf(deposit, all, siblings)
    if (making === undefined) return undefined
    const ids = siblings.map((each) => each.depositId)
    const charges = [...making, ...transactions.flatMap((each) => failedCharge(each, ids))].filter(
      ({ depositIds }) => depositIds.includes(depositId),
    )
    if (charges.length === 0) return toAmount(0n)
    const deposits = await store.findDeposits([
      ...new Set(charges.flatMap(({ depositIds }) => depositIds)),
    ])
    const chainIds = [...new Set([...charges, ...deposits].map(({ chainId }) => chainId))]
    const seen = currentMarket(market, chainIds)
    return seen && shareOf(depositId, { charges, deposits, pricesOf: createPrices(seen, market) })
  }
}

/** Deposits bear a failed transaction that named them, else one of their request. */
function failedCharge(
  transaction: SolverTransaction,
  siblings: readonly string[],
): readonly Charge[] {
  const { purpose, chainId, depositIds, failedCost = 0n } = transaction
  if (gasBearers[purpose].reverted !== 'deposit' || !isReverted(transaction)) return []
  return [{ chainId, wei: failedCost, depositIds: depositIds.length > 0 ? depositIds : siblings }]
}

/** US dollars, with 18 decimals, for `unit` raw units of a currency. */
type Price = Readonly<{ price: bigint; unit: bigint }>
type PricesOf = (place: Pick<Deposit, 'chainId' | 'currency'>) => Price | undefined

function createPrices({ chains }: Market, { currencies }: SolverMarket): PricesOf {
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

/** The share of a deposit in the charges, in its currency, rounded up. */
function shareOf(
  depositId: string,
  {
    charges,
    deposits,
    pricesOf,
  }: Readonly<{
    charges: readonly Charge[]
    deposits: readonly Deposit[]
    pricesOf: PricesOf
  }>,
): Amount | undefined {
  const values = new Map<string, Readonly<{ value: bigint; price: Price }>>()
  for (const deposit of deposits) {
    const price = pricesOf(deposit)
    if (price === undefined) return undefined
    const value = mulDivUp(deposit.amount, price.price, price.unit)
    values.set(deposit.depositId, { value, price })
  }
  const own = values.get(depositId)
  if (own === undefined) return toAmount(0n)
  let share = 0n
  for (const { chainId, wei, depositIds } of charges) {
    const native = pricesOf({ chainId, currency: nativeAddress })
    if (native === undefined) return undefined
    const total = depositIds.reduce((sum, id) => sum + (values.get(id)?.value ?? 0n), 0n)
    const cost = mulDivUp(wei, native.price, native.unit)
    if (total > 0n) share += mulDivUp(cost, own.value, total)
  }
  return toAmount(mulDivUp(share, own.price.unit, own.price.price))
}
