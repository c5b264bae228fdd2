import type { Address } from '#src/core/units/address.ts'
import { byPlace, type Deposit } from '#src/requests/state/deposit.ts'
import type { ChainView } from '#src/solver/chainView.ts'

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
  wanted: ReadonlySet<Address>
  /** Block of the last failed settlement, by deposit. Such deposits are settled one by one, after `retryBlocks`. */
  failedAt: ReadonlyMap<string, bigint>
  settleAfterSeconds: number
}>

/**
 * The deposits to settle now. Each batch has one currency, and is large, old, or needed for a fill. Plain transfers and
 * deposits that failed to settle are settled one by one.
 */
export function batchesOf(
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
export type Outflow = Readonly<{ limit: bigint; available: bigint }>

/**
 * The deposits of a batch that the outflow limit allows now, and those that it never allows. A recorded deposit above
 * the limit goes alone, once the limit is unused.
 */
export function withinOutflow(
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
export function incomingOf(
  amounts: readonly Readonly<{ currency: Address; amount: bigint }>[],
  outflowLimits: ReadonlyMap<Address, bigint> | undefined,
): ReadonlyMap<Address, bigint> {
  const incoming = new Map<Address, bigint>()
  for (const { currency, amount } of amounts)
    incoming.set(currency, (incoming.get(currency) ?? 0n) + amount)
  for (const [currency, amount] of incoming) {
    const limit = outflowLimits?.get(currency) ?? 0n
    if (amount > limit) incoming.set(currency, limit)
  }
  return incoming
}
