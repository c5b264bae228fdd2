import { readReceipt } from '#src/chains/read/readTransaction.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { mulDivUp } from '#src/core/units/arithmetic.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { isNative } from '#src/core/units/currency.ts'
import { evmHash, type TxId } from '#src/core/units/txId.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { isReverted, type SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { currentMarket } from '#src/solver/chainView.ts'
import type { AccountChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import {
  type Estimate,
  estimateGas,
  type Fees,
  marketFees,
  signedBytes,
} from '#src/solver/sending/estimateGas.ts'
import { type DueRefund, payingDecimals, refundAmount } from './refundPayout.ts'

type Ports = Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/** What a refund pays out on the newest block, or why it pays nothing now. */
export type RefundPrice =
  | Readonly<{ kind: 'amount'; amount: Amount; gas: bigint; fees: Fees }>
  | Readonly<{ kind: 'refused'; estimate: Exclude<Estimate, { kind: 'gas' }> }>
  | Readonly<{ kind: 'tooMuchGas'; gas: bigint }>
  /** Worth less than its costs; `retry` if cheaper gas may change that. */
  | Readonly<{ kind: 'tooLow'; retry: boolean }>
  | Readonly<{ kind: 'noPrice' }>
  | Readonly<{ kind: 'noMarket' }>

/**
 * Prices a refund: the deposit minus the gas of its transaction, simulated with `callOf`, and of earlier transactions
 * for the deposit.
 */
export function createRefundPrice(
  ports: Ports,
  { chain, solver }: AccountChain,
  { maxRefundGas }: SolverLimits,
): (due: DueRefund, callOf: (amount: Amount) => Promise<TransactionCall>) => Promise<RefundPrice> {
  const attemptCostOf = createAttemptCosts(
    ports,
    async (txHash) => (await readReceipt(ports.client, evmHash(txHash)))?.cost,
  )

  return async ({ deposit }, callOf) => {
    const snapshot = ports.market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return { kind: 'noMarket' }
    // Simulates with a cost of one unit: without a cost, the depository would use less gas.
    const allButOne = deposit.amount > 1n ? toAmount(deposit.amount - 1n) : deposit.amount
    const call = await callOf(allButOne)
    const fees = marketFees(chainMarket.gas)
    const estimate = await estimateGas(ports.client, solver, call, fees)
    if (estimate.kind !== 'gas') return { kind: 'refused', estimate }
    const { gas } = estimate
    if (gas > BigInt(maxRefundGas)) return { kind: 'tooMuchGas', gas }
    const bytes = signedBytes(call)
    const payable = refundAmount(deposit, snapshot, chainMarket, { gas, bytes })
    if (payable.kind === 'noPrice') return payable
    if (payable.kind !== 'amount') return { kind: 'tooLow', retry: payable.kind === 'gasTooHigh' }
    const attemptCost = await attemptCostOf(deposit)
    if (attemptCost === undefined) return { kind: 'noPrice' }
    // Nobody can take a plain transfer back, and its refund pays the solver nothing.
    if (deposit.record === undefined && attemptCost >= payable.amount)
      return { kind: 'tooLow', retry: false }
    return { kind: 'amount', amount: lessAttempts(payable.amount, attemptCost), gas, fees }
  }
}

/**
 * What is left of a refund after the cost of earlier transactions for the deposit; at least one unit. Without a refund
 * the depositor would take back the whole deposit after its exit time, and the solver would bear the cost.
 */
export function lessAttempts(payable: Amount, attemptCost: Amount): Amount {
  const left = payable - attemptCost
  return toAmount(left > 0n ? left : 1n)
}

/** Gas of one transaction, and the deposits that bear it in proportion to their value. */
type Charge = Readonly<{ chainId: ChainId; wei: bigint; depositIds: readonly string[] }>

/**
 * The cost of earlier transactions that a refund bears by `gasBearers`, in the deposit's currency at present prices,
 * rounded up: the gas of the sweep or permit that made the deposit, as its receipt has it, and of failed transactions
 * for the deposit or its request. Several deposits share a cost. Undefined while a price or a receipt is missing.
 */
export function createAttemptCosts(
  { store, market }: Omit<Ports, 'client'>,
  costOf: (txHash: TxId) => Promise<bigint | undefined>,
): (deposit: Deposit) => Promise<Amount | undefined> {
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
    const wei = await costOf(txHash)
    if (wei === undefined) return undefined
    const made = deposits.filter((each) => each.txHash === txHash)
    return [{ chainId, wei, depositIds: made.map(({ depositId }) => depositId) }]
  }

  return async (deposit) => {
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
    if (seen === undefined) return undefined
    // Anybody can deposit a currency that pays for no gas under the order of somebody else.
    const paying = deposits.filter((each) => {
      const chain = seen.chains.get(each.chainId)
      return chain === undefined || payingDecimals(each, seen, chain) !== undefined
    })
    const pricesOf = createPrices(seen, market)
    return shareOf(depositId, { charges, deposits: paying, pricesOf })
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
    const price = chain.usdPrices.get(isWei ? native.address : currency)
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

/**
 * Who bears the gas of a transaction.
 * - `quote`: the quote has charged it: `relayerGas`, paid by the user or a sponsor, contains it.
 * - `deposit`: deducted from the refund of the deposits that it served.
 * - `apiKey`: the gas budget of the API key that asked for the call.
 * - `operator`: overhead that no request causes, or whose amount a limit bounds.
 */
type Bearer = 'quote' | 'deposit' | 'apiKey' | 'operator'

/** The bearer by what has become of the transaction, and of the deposits that it served. */
type Bearers = Readonly<{
  /** It took effect, and the deposits are filled. */
  filled: Bearer
  /** It took effect, and the deposits are refunded. */
  refunded: Bearer
  /** It reverted in a block. Limits bound what of it no deposit can bear. */
  reverted: Bearer
  /** A cancellation took its nonce: gas had become too dear, or nodes refused it. */
  cancelled: Bearer
}>

/**
 * The gas ledger. Each purpose names the bearer of its gas, so that no transaction is added without one. A replaced
 * transaction costs what its mined attempt costs.
 */
const gasBearers = {
  // Refunded: deposits are not refunded once their fill took effect.
  fill: { filled: 'quote', refunded: 'operator', reverted: 'deposit', cancelled: 'operator' },
  // Deducted at the estimate of its own gas, see refundAmount. A refund that reverts keeps the deposit.
  refund: { filled: 'operator', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  settlement: {
    filled: 'quote',
    refunded: 'operator',
    reverted: 'operator',
    cancelled: 'operator',
  },
  // Somebody else who sweeps first pays more than the solver loses.
  sweep: { filled: 'quote', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  // Without a deposit the operator bears a revert, within `maxRevertedPermitsUsd`.
  permit: { filled: 'quote', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  relayedCall: { filled: 'apiKey', refunded: 'apiKey', reverted: 'apiKey', cancelled: 'apiKey' },
  approval: all('operator'),
  cancellation: all('operator'),
} as const satisfies Record<SolverTransaction['purpose'], Bearers>

function all(bearer: Bearer): Bearers {
  return { filled: bearer, refunded: bearer, reverted: bearer, cancelled: bearer }
}
