import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Batch } from '#src/requests/requestStore.ts'

/** Counts the calls of the request store. */
export type StoreMetrics = Readonly<{
  /** Counts the start of a call. The returned function counts its end. */
  begin: (operation: string) => (outcome: 'done' | 'failed') => void
  /** Counts the payments and the unrefundable deposits of a saved batch. */
  countSaved: (batch: Batch) => void
}>

/** In seconds. An embedded database takes a fraction of a millisecond, a server some milliseconds. */
const buckets = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 10]

/**
 * Adds the metrics of the request store, and of the payments that it holds.
 * @param names names of the chains
 */
export function addStoreMetrics(
  registry: Registry,
  names: ReadonlyMap<ChainId, string>,
): StoreMetrics {
  const registers = [registry]
  const durations = new Histogram({
    name: 'crossquote_store_duration_seconds',
    help: 'Seconds that a call of the request store took, with its wait for the database.',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  const failures = new Counter({
    name: 'crossquote_store_failures_total',
    help: 'Calls of the request store that failed.',
    labelNames: ['operation'],
    registers,
  })
  const waiting = new Gauge({
    name: 'crossquote_store_waiting',
    help: 'Calls of the request store that wait for the database.',
    registers,
  })
  const transactions = new Counter({
    name: 'crossquote_solver_transactions_total',
    help: 'Transactions of the solver by purpose (fill, refund, settlement, approval, cancellation) and status: sent once each, then final or reverted. Counted by the process that stores the status.',
    labelNames: ['chain', 'purpose', 'status'],
    registers,
  })
  const unrefundable = new Counter({
    name: 'crossquote_deposits_kept_total',
    help: 'Deposits that can be neither filled nor refunded, by the reason of the refund’s failure.',
    labelNames: ['chain', 'reason'],
    registers,
  })
  const nameOf = (chainId: ChainId) => names.get(chainId) ?? String(chainId)

  return {
    begin: (operation) => {
      const started = performance.now()
      waiting.inc()
      return (outcome) => {
        waiting.dec()
        durations.observe({ operation }, (performance.now() - started) / 1000)
        if (outcome === 'failed') failures.inc({ operation })
      }
    },
    countSaved: ({ transactions: saved = [], deposits = [] }) => {
      for (const { chainId, purpose, status, version } of saved)
        if (version === 0 || status === 'final' || status === 'reverted')
          transactions.inc({ chain: nameOf(chainId), purpose, status })
      for (const { chainId, status, refundFailReason: reason = '' } of deposits)
        if (status === 'kept') unrefundable.inc({ chain: nameOf(chainId), reason })
    },
  }
}
