import type { Address } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { byPlace, type Deposit, isMined } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import { createIsPaidOut, createReadOutflow, type SignPayout } from './depositoryCalls.ts'
import { readFilledDeposits } from './filledDeposits.ts'
import { type FilledDeposit, paymentsOf, settlementOf, withoutFees } from './settlementPayouts.ts'

/** A batch pays the solver once. Batches of more than 20 deposits save little more gas. */
const batchTarget = 20
/** Maximum number of deposits per batch, which fits easily into a block. */
const maxBatch = 50
/** Single-deposit settlements per round: of plain transfers, and of deposits that failed in a batch. */
const maxSingle = 10
/** Blocks before a deposit that failed to settle is tried again. */
const retryBlocks = 60n

/** Longer than a transaction may wait. Executing it late does no harm: the depository pays no deposit twice. */
const validSeconds = 3_600n

/** The depository limits the gas of a payment to about 250,000: a currency or a recipient may be any contract. */
const maxGasOf = (payments: number): bigint => 200_000n + 300_000n * BigInt(payments)

export type Settlements = Readonly<{
  settle: (view: ChainView) => Promise<void>
  /** Whether unsettled deposits and pending settlements bring this amount. If so, the next `settle` settles them. */
  mayBring: (currency: Address, amount: bigint) => boolean
  /** Number of deposits whose settlement failed at its last try. */
  unsettleable: () => number
}>

/** Pays filled deposits out of the depository, in batches. A batch must be large, old, or needed for a fill. */
export function createSettlements(
  { client, store, log, market }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market'>,
  { chain, contracts, solver }: SolverChain,
  {
    outbox,
    sign,
    limits,
  }: Readonly<{
    outbox: Outbox
    sign: SignPayout
    limits: Pick<SolverConfig['limits'], 'settleAfterSeconds'>
  }>,
): Settlements {
  /** Amounts that were unsettled or in pending settlements in the last round, by currency. */
  const incoming = new Map<Address, bigint>()
  /** Currencies that a fill waits for. */
  const needed = new Set<Address>()
  /** Block of the last failed settlement, by deposit. Such deposits are settled one by one, after `retryBlocks`. */
  const failedAt = new Map<string, bigint>()
  const isPaidOut = createIsPaidOut(client, contracts)
  const readOutflow = createReadOutflow(client, contracts)

  /** Each batch has one currency. Plain transfers and deposits that failed to settle are settled one by one. */
  function batchesOf(
    deposits: readonly Deposit[],
    wanted: ReadonlySet<Address>,
    head: ChainView['head'],
  ): readonly (readonly Deposit[])[] {
    const isDue = ({ depositId }: Deposit) => {
      const at = failedAt.get(depositId)
      return at === undefined || head.number - at >= retryBlocks
    }
    const isOld = ({ timestamp }: Deposit) =>
      head.timestamp - BigInt(timestamp) >= BigInt(limits.settleAfterSeconds)
    const due = deposits.filter(isDue).toSorted(byPlace)
    const isAlone = ({ depositId, record }: Deposit) =>
      record === undefined || failedAt.has(depositId)
    const together = Map.groupBy(
      due.filter((each) => !isAlone(each)),
      ({ currency }) => currency,
    )
    const batches = [...together.values()].flatMap((batch) => {
      const isWorthwhile =
        batch.length >= batchTarget ||
        batch.some((each) => isOld(each) || wanted.has(each.currency))
      return isWorthwhile ? [batch.slice(0, maxBatch)] : []
    })
    const single = due.filter(isAlone).slice(0, maxSingle)
    return [...batches, ...single.map((each) => [each])]
  }

  async function callOf(filled: readonly FilledDeposit[], view: ChainView, fees: Fees) {
    const payout = settlementOf(filled, {
      payee: solver,
      expiration: view.head.timestamp + validSeconds,
    })
    const call = await sign(payout)
    const estimate = await estimateGas(client, solver, call, fees)
    const isPossible = estimate.kind === 'gas' && estimate.gas <= maxGasOf(paymentsOf(payout))
    return isPossible ? { call, gas: estimate.gas } : undefined
  }

  async function send(
    filled: readonly FilledDeposit[],
    { call, gas }: NonNullable<Awaited<ReturnType<typeof callOf>>>,
    { view, fees }: Round,
  ): Promise<void> {
    const [first] = filled
    if (first === undefined) return
    const { depositId, currency } = first.deposit
    const amount = filled.reduce((total, { deposit }) => total + deposit.amount, 0n)
    const unsent = {
      transactionId: `settlement:${depositId}:${view.head.hash}`,
      purpose: 'settlement',
      depositIds: filled.map(({ deposit }) => deposit.depositId),
      spends: [{ currency, amount: toAmount(amount) }],
      call,
      gas,
    } as const
    const saved = await outbox.send(unsent, fees, (transaction) => ({
      transactions: [transaction],
      deposits: filled.map(({ deposit, owed }) => ({
        ...deposit,
        status: 'settling',
        ...(owed !== undefined && { owedAppFees: owed }),
      })),
    }))
    if (saved === 'conflict') return
    log.info({ chainId: chain.id, deposits: filled.length }, 'Settles filled deposits')
    for (const { deposit, owed } of filled) {
      failedAt.delete(deposit.depositId)
      const facts = { chainId: chain.id, depositId: deposit.depositId, currency, owed }
      if (owed !== undefined)
        log.error(facts, 'The depository refuses the app fees of a deposit: they are owed')
    }
  }

  /** Settles the deposits together. If that fails, settles each half, so that one bad deposit delays no other. */
  async function settleTogether(filled: readonly FilledDeposit[], round: Round): Promise<void> {
    const found = await callOf(filled, round.view, round.fees)
    if (found !== undefined) return send(filled, found, round)
    const [first] = filled
    if (first === undefined) return
    if (filled.length === 1)
      return first.orders === undefined
        ? recordFailure(first.deposit, round.view)
        : settleTogether([withoutFees(first)], round)
    const half = Math.ceil(filled.length / 2)
    await settleTogether(filled.slice(0, half), round)
    await settleTogether(filled.slice(half), round)
  }

  /** The deposits that the outflow limit allows now. One above the limit goes alone, once the limit is unused. */
  async function payable(batch: readonly Deposit[], round: Round): Promise<readonly Deposit[]> {
    const [first] = batch
    if (first === undefined) return []
    const { currency } = first
    const { limit, available } = await round.outflow(currency)
    const above = batch.find(({ amount, record }) => amount > limit && record !== undefined)
    // The others wait for it: with them the limit would never be unused.
    if (above !== undefined && limit > 0n) return available >= limit ? [above] : []
    let rest = available
    const fitting: Deposit[] = []
    for (const each of batch) {
      if (each.amount > limit) await recordFailure(each, round.view)
      else if (each.amount <= rest) {
        fitting.push(each)
        rest -= each.amount
      }
    }
    return fitting
  }

  async function settleBatch(batch: readonly Deposit[], round: Round): Promise<void> {
    const deposits = await payable(batch, round)
    if (deposits.length === 0) return
    round.use(deposits)
    await settleTogether(await readFilledDeposits(store, deposits), round)
  }

  /** Marks a deposit that the depository has already paid out, by a settlement or to its depositor, as settled. */
  async function recordFailure(deposit: Deposit, { head }: ChainView): Promise<void> {
    const { depositId, currency, amount } = deposit
    const confirmed = head.number - BigInt(chain.fillConfirmations)
    if (confirmed >= 0n && (await isPaidOut(deposit, confirmed))) {
      await store.save({ deposits: [{ ...deposit, status: 'settled' }] })
      failedAt.delete(depositId)
      return
    }
    const facts = { chainId: chain.id, depositId, currency, amount }
    if (!failedAt.has(depositId)) log.error(facts, 'A filled deposit cannot be settled')
    failedAt.set(depositId, head.number)
  }

  /** The state of one call of `settle`. */
  function roundOf(view: ChainView, fees: Fees) {
    const used = new Map<Address, bigint>()
    const use = (spends: readonly Pick<Deposit, 'currency' | 'amount'>[]) => {
      for (const { currency, amount } of spends)
        used.set(currency, (used.get(currency) ?? 0n) + amount)
    }
    const isPending = ({ purpose, status }: SolverTransaction) =>
      purpose === 'settlement' && status === 'sent'
    use(view.open.filter(isPending).flatMap(({ spends }) => spends))
    return {
      view,
      fees,
      use,
      /** The outflow limit, and the part of it that pending settlements leave. */
      async outflow(currency: Address) {
        const { limit, available } = await readOutflow(currency)
        const left = available - (used.get(currency) ?? 0n)
        return { limit, available: left > 0n ? left : 0n }
      },
    }
  }
  type Round = ReturnType<typeof roundOf>

  return {
    mayBring(currency, amount) {
      const isEnough = (incoming.get(currency) ?? 0n) >= amount
      if (isEnough) needed.add(currency)
      return isEnough
    },
    unsettleable: () => failedAt.size,
    async settle(view) {
      // After a reorg undid a deposit, the depository does not hold its money.
      const deposits = (await store.unsettled(chain.id)).filter(isMined)
      const known = new Set(deposits.map(({ depositId }) => depositId))
      for (const id of failedAt.keys()) if (!known.has(id)) failedAt.delete(id)
      const underWay = view.open.filter(
        ({ purpose, status }) => purpose === 'settlement' && status !== 'reverted',
      )
      incoming.clear()
      for (const { currency, amount } of [
        ...deposits.filter(({ depositId }) => !failedAt.has(depositId)),
        ...underWay.flatMap(({ spends }) => spends),
      ])
        incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
      // More than an hour's limit takes longer than a fill should wait.
      const limits = market.latest(chain.id)?.settlement?.outflowLimits
      for (const [currency, amount] of incoming) {
        const limit = limits?.get(currency) ?? 0n
        if (amount > limit) incoming.set(currency, limit)
      }
      // Fills run at the same time, and may need more currencies.
      const wanted = new Set(needed)
      needed.clear()
      const latest = market.latest(chain.id)
      if (latest === undefined) return
      const round = roundOf(view, marketFees(latest.gas))
      for (const batch of batchesOf(deposits, wanted, view.head)) await settleBatch(batch, round)
    },
  }
}
