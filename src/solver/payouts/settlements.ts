import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import { type Account, type Address, evmAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { byPlace, type Deposit, isMined } from '#src/requests/state/deposit.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import {
  createIsPaidOut,
  createReadOutflow,
  type SignPayout,
} from '#src/solver/depository/depositoryCalls.ts'
import {
  type FilledDeposit,
  paymentsOf,
  readFilledDeposits,
  settlementOf,
  withoutFees,
} from '#src/solver/depository/settlementPayouts.ts'
import type { SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { estimateGas, type Fees, marketFees } from '#src/solver/sending/estimateGas.ts'
import type { Sender } from '#src/solver/sending/outbox.ts'

/** Longer than a transaction may wait. Executing it late does no harm: the depository pays no deposit twice. */
const validSeconds = 3_600n

/** The depository limits the gas of a payment to about 250,000: a currency or a recipient may be any contract. */
const maxGasOf = (payments: number): bigint => 200_000n + 300_000n * BigInt(payments)

type Ports = Readonly<{
  client: ChainClient
  store: RequestStore
  log: Log
  market: SolverMarket
}>

type Parts = Readonly<{ outbox: Sender; sign: SignPayout; limits: SolverLimits }>

type Settlements = Readonly<{
  settle: (view: ChainView) => Promise<void>
  /** Whether unsettled deposits and pending settlements bring this amount. If so, the next `settle` settles them. */
  mayBring: (currency: Account, amount: bigint) => boolean
  /** Number of deposits whose settlement failed at its last try. */
  unsettleable: () => number
}>

/** Pays filled deposits out of the depository, in batches. A batch must be large, old, or needed for a fill. */
export function createSettlements(
  ports: Ports,
  solverChain: SolverChain,
  { outbox, sign, limits }: Parts,
): Settlements {
  const { client, store, market } = ports
  const { chain, contracts } = solverChain
  /** Amounts that were unsettled or in pending settlements in the last round, by currency. */
  let incoming: ReadonlyMap<Account, bigint> = new Map()
  /** Currencies that a fill waits for. */
  const needed = new Set<Account>()
  const failures = createSettlementFailures(ports, solverChain)
  const readOutflow = createReadOutflow(client, contracts)
  const settleTogether = createSettleTogether(ports, solverChain, { outbox, sign, failures })

  async function settleBatch(batch: readonly Deposit[], round: Round): Promise<void> {
    const [first] = batch
    if (first === undefined) return
    const { payable, above } = withinOutflow(batch, await round.outflow(first.currency))
    for (const each of above) await failures.record(each, round.view)
    if (payable.length === 0) return
    round.use(payable)
    await settleTogether(await readFilledDeposits(store, payable), round)
  }

  return {
    mayBring(currency, amount) {
      const isEnough = (incoming.get(currency) ?? 0n) >= amount
      if (isEnough) needed.add(currency)
      return isEnough
    },
    unsettleable: () => failures.at.size,
    async settle(view) {
      // After a reorg undid a deposit, the depository does not hold its money.
      const deposits = (await store.unsettled(chain.id)).filter(isMined)
      failures.keepOnly(new Set(deposits.map(({ depositId }) => depositId)))
      const underWay = view.open.filter(
        ({ purpose, status }) => purpose === 'settlement' && status !== 'reverted',
      )
      const latest = market.latest(chain.id)
      incoming = incomingOf(
        [
          ...deposits.filter(({ depositId }) => !failures.at.has(depositId)),
          ...underWay.flatMap(({ spends }) => spends),
        ],
        latest?.settlement?.outflowLimits,
      )
      // Fills run at the same time, and may need more currencies.
      const choice = { ...limits, wanted: new Set(needed), failedAt: failures.at }
      needed.clear()
      if (latest === undefined) return
      const round = roundOf(view, marketFees(latest.gas), readOutflow)
      for (const batch of batchesOf(deposits, choice, view.head)) await settleBatch(batch, round)
    },
  }
}

/** The state of one call of `settle`. */
type Round = Readonly<{
  view: ChainView
  fees: Fees
  /** Counts amounts that a settlement of this round takes out. */
  use: (amounts: readonly Readonly<{ currency: Account; amount: bigint }>[]) => void
  outflow: (currency: Account) => Promise<Outflow>
}>

function roundOf(
  view: ChainView,
  fees: Fees,
  readOutflow: (currency: Address) => Promise<Outflow>,
): Round {
  const used = new Map<Account, bigint>()
  const use: Round['use'] = (amounts) => {
    for (const { currency, amount } of amounts)
      used.set(currency, (used.get(currency) ?? 0n) + amount)
  }
  const isPending = ({ purpose, status }: SolverTransaction) =>
    purpose === 'settlement' && status === 'sent'
  use(view.open.filter(isPending).flatMap(({ spends }) => spends))
  return {
    view,
    fees,
    use,
    async outflow(currency) {
      const { limit, available } = await readOutflow(evmAddress(currency))
      const left = available - (used.get(currency) ?? 0n)
      return { limit, available: left > 0n ? left : 0n }
    },
  }
}

type Sending = Readonly<{
  outbox: Sender
  sign: SignPayout
  failures: SettlementFailures
}>

/** Settles deposits together. If that fails, settles each half, so that one bad deposit delays no other. */
function createSettleTogether(
  { client, log }: Ports,
  { chain, solver }: SolverChain,
  { outbox, sign, failures }: Sending,
) {
  async function callOf(filled: readonly FilledDeposit[], { view, fees }: Round) {
    const expiration = view.head.timestamp + validSeconds
    const payout = settlementOf(filled, { payee: solver, expiration })
    const call = await sign(payout)
    const estimate = await estimateGas(client, solver, call, fees)
    const isPossible = estimate.kind === 'gas' && estimate.gas <= maxGasOf(paymentsOf(payout))
    return isPossible ? { call, gas: estimate.gas } : undefined
  }

  async function send(
    filled: readonly FilledDeposit[],
    { call, gas }: Readonly<{ call: TransactionCall; gas: bigint }>,
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
      failures.forget(deposit.depositId)
      const facts = { chainId: chain.id, depositId: deposit.depositId, currency, owed }
      if (owed !== undefined)
        log.error(facts, 'The depository refuses the app fees of a deposit: they are owed')
    }
  }

  return async function settleTogether(
    filled: readonly FilledDeposit[],
    round: Round,
  ): Promise<void> {
    const found = await callOf(filled, round)
    if (found !== undefined) return send(filled, found, round)
    const [first] = filled
    if (first === undefined) return
    if (filled.length === 1)
      return first.orders === undefined
        ? failures.record(first.deposit, round.view)
        : settleTogether([withoutFees(first)], round)
    const half = Math.ceil(filled.length / 2)
    await settleTogether(filled.slice(0, half), round)
    await settleTogether(filled.slice(half), round)
  }
}

type SettlementFailures = Readonly<{
  /** Block of the last failed settlement, by deposit. */
  at: ReadonlyMap<string, bigint>
  record: (deposit: Deposit, view: ChainView) => Promise<void>
  forget: (depositId: string) => void
  /** Discards the failures of all other deposits. */
  keepOnly: (depositIds: ReadonlySet<string>) => void
}>

/** Records deposits that cannot be settled. One that the depository has paid out already counts as settled. */
function createSettlementFailures(
  { client, store, log }: Ports,
  { chain, contracts }: SolverChain,
): SettlementFailures {
  const isPaidOut = createIsPaidOut(client, contracts)
  const at = new Map<string, bigint>()
  return {
    at,
    forget: (depositId) => void at.delete(depositId),
    keepOnly: (ids) => {
      for (const id of at.keys()) if (!ids.has(id)) at.delete(id)
    },
    async record(deposit, { head }) {
      const { depositId, currency, amount } = deposit
      const confirmed = head.number - BigInt(chain.fillConfirmations)
      if (confirmed >= 0n && (await isPaidOut(deposit, confirmed))) {
        await store.save({ deposits: [{ ...deposit, status: 'settled' }] })
        at.delete(depositId)
        return
      }
      const facts = { chainId: chain.id, depositId, currency, amount }
      if (!at.has(depositId)) log.error(facts, 'A filled deposit cannot be settled')
      at.set(depositId, head.number)
    },
  }
}

/** A batch pays the solver once. Batches of more than 20 deposits save little more gas. */
const batchTarget = 20
/** Maximum number of deposits per batch, which fits easily into a block. */
const maxBatch = 50
/** Single-deposit settlements per round: of plain transfers, and of deposits that failed in a batch. */
const maxSingle = 10
/** Blocks before a deposit that failed to settle is tried again. */
const retryBlocks = 60n

type Choice = Readonly<{
  /** Currencies that a fill waits for. */
  wanted: ReadonlySet<Account>
  /** Block of the last failed settlement, by deposit. Such deposits are settled one by one, after `retryBlocks`. */
  failedAt: ReadonlyMap<string, bigint>
  settleAfterSeconds: number
}>

/**
 * The deposits to settle now. Each batch has one currency, and is large, old, or needed for a fill. Plain transfers and
 * deposits that failed to settle are settled one by one.
 */
function batchesOf(
  deposits: readonly Deposit[],
  { wanted, failedAt, settleAfterSeconds }: Choice,
  head: ChainView['head'],
): readonly (readonly Deposit[])[] {
  const isDue = ({ depositId }: Deposit) => {
    const at = failedAt.get(depositId)
    return at === undefined || head.number - at >= retryBlocks
  }
  const isOld = ({ timestamp }: Deposit) =>
    head.timestamp - BigInt(timestamp) >= BigInt(settleAfterSeconds)
  const due = deposits.filter(isDue).toSorted(byPlace)
  const isAlone = ({ depositId, record }: Deposit) =>
    record === undefined || failedAt.has(depositId)
  const together = Map.groupBy(
    due.filter((each) => !isAlone(each)),
    ({ currency }) => currency,
  )
  const batches = [...together.values()].flatMap((batch) => {
    const isWorthwhile =
      batch.length >= batchTarget || batch.some((each) => isOld(each) || wanted.has(each.currency))
    return isWorthwhile ? [batch.slice(0, maxBatch)] : []
  })
  const single = due.filter(isAlone).slice(0, maxSingle)
  return [...batches, ...single.map((each) => [each])]
}

/** The outflow limit of a currency, and the part of it that pending settlements leave. */
type Outflow = Readonly<{ limit: bigint; available: bigint }>

/**
 * The deposits of a batch that the outflow limit allows now, and those that it never allows. A recorded deposit above
 * the limit goes alone, once the limit is unused.
 */
function withinOutflow(
  batch: readonly Deposit[],
  { limit, available }: Outflow,
): Readonly<{ payable: readonly Deposit[]; above: readonly Deposit[] }> {
  const large = batch.find(({ amount, record }) => amount > limit && record !== undefined)
  // The others wait for it: with them the limit would never be unused.
  if (large !== undefined && limit > 0n)
    return { payable: available >= limit ? [large] : [], above: [] }
  let rest = available
  const payable: Deposit[] = []
  for (const each of batch)
    if (each.amount <= limit && each.amount <= rest) {
      payable.push(each)
      rest -= each.amount
    }
  return { payable, above: batch.filter(({ amount }) => amount > limit) }
}

/** What settlements bring soon, by currency. More than an hour's limit takes longer than a fill should wait. */
function incomingOf(
  amounts: readonly Readonly<{ currency: Account; amount: bigint }>[],
  outflowLimits: ReadonlyMap<Account, bigint> | undefined,
): ReadonlyMap<Account, bigint> {
  const incoming = new Map<Account, bigint>()
  for (const { currency, amount } of amounts)
    incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
  for (const [currency, amount] of incoming) {
    const limit = outflowLimits?.get(currency) ?? 0n
    if (amount > limit) incoming.set(currency, limit)
  }
  return incoming
}
