import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { toSvmSignature } from '#src/core/units/svm/signature.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { FillChecks } from '#src/solver/fills/fillChecks.ts'
import type { Runtime, SolverMarket } from '#src/solver/ports.ts'
import { ownedNonceOf, type SvmOutbox } from './svmOutbox.ts'
import type { SvmSolverChain } from './svmPorts.ts'
import type { SvmRecords } from './svmRecords.ts'
import type { SvmView } from './svmView.ts'

/** Milliseconds between two broadcasts of a transaction that has not landed. */
const resendMs = 2_000
/** Milliseconds after which a transaction gets another price of a compute unit. */
const raiseMs = 15_000
/** In millionths of a lamport: up to 320,000 lamports for the largest transaction of the solver. */
const highestPrice = 4_000_000n
/** Slots for which no node must know a transaction whose nonce was used. */
const slotsBeforeLost = 64n

type Ports = Runtime &
  Readonly<{
    client: SvmClient
    store: RequestStore
    market: SolverMarket
    fillChecks: FillChecks
  }>

type Parts = Readonly<{ outbox: SvmOutbox; records: SvmRecords }>

export type SvmMonitor = Readonly<{
  /** Looks after all sent transactions. The tracker records those that land. */
  inspect: (view: SvmView) => Promise<void>
  /** Number of fills that took effect by a transaction that no node knows. */
  unexplained: () => number
}>

/** Sends transactions again until they land, and raises their price. */
export function createSvmMonitor(
  ports: Ports,
  { chain }: SvmSolverChain,
  { outbox, records }: Parts,
): SvmMonitor {
  const { client, store, log, fillChecks, now } = ports
  const lost = createBlockDebounce()
  const unexplained = new Set<string>()
  const resends = createResends(ports, chain, outbox)

  /**
   * No attempt can land any more, and none is known. The marker of the order tells whether a fill landed; a refund and a
   * settlement are paid once whatever is sent.
   */
  async function recordLost(transaction: SolverTransaction): Promise<void> {
    const { transactionId, requestId, depositIds, purpose } = transaction
    const facts = { chainId: chain.id, transactionId }
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (purpose === 'fill' && request?.execution === 'solver') {
      if (await records.isFilled(request.orderId)) return explain(transaction, request)
    }
    const settling = (await store.findDeposits(depositIds)).filter(
      ({ status }) => status === 'settling',
    )
    const state = purpose === 'fill' && request && advance(request, { type: 'fillReverted' }, now())
    log.warn(facts, 'The nonce of a transaction was used, and no node knows it: it had no effect')
    await store.save({
      transactions: [{ ...transaction, status: 'reverted' }],
      deposits: settling.map((each): Deposit => ({ ...each, status: 'filled' })),
      ...(state && request && state !== request.state && { requests: [{ ...request, state }] }),
    })
  }

  /** A fill that the store has lost may have taken the place of this one, with the same nonce. */
  async function explain(
    { transactionId }: SolverTransaction,
    request: SolverRequest,
  ): Promise<void> {
    await fillChecks.restore(request)
    const stored = await store.transactionsOf(request.requestId)
    const isOpen = stored.some(
      (each) => each.transactionId === transactionId && each.status === 'sent',
    )
    if (!isOpen || unexplained.has(transactionId)) return
    unexplained.add(transactionId)
    log.error(
      { chainId: chain.id, transactionId },
      'A fill took effect, and no node knows its transaction; neither paying again nor refunding',
    )
  }

  async function inspectOne(transaction: SolverTransaction, view: SvmView): Promise<void> {
    const { transactionId, attempts } = transaction
    const owned = ownedNonceOf(transaction)
    const statuses = await client.getStatuses(attempts.map(({ hash }) => toSvmSignature(hash)))
    // The tracker records what has landed.
    if (owned === undefined || statuses.some((each) => each !== undefined))
      return lost.forget(transactionId)
    const present = view.nonces.get(owned.nonceAccount)
    if (present === owned.nonce) return resends.push(transaction)
    if (present !== undefined && lost.hasLasted(transactionId, view.head.number, slotsBeforeLost))
      await recordLost(transaction)
  }

  return {
    unexplained: () => unexplained.size,
    async inspect(view) {
      const sent = view.open.filter(({ status }) => status === 'sent')
      const ids = new Set(sent.map(({ transactionId }) => transactionId))
      resends.keepOnly(ids)
      for (const id of unexplained) if (!ids.has(id)) unexplained.delete(id)
      for (const each of sent) await inspectOne(each, view)
    },
  }
}

/** Sends transactions again, and raises their price if they wait too long. */
function createResends(
  { log, market, now }: Pick<Ports, 'log' | 'market' | 'now'>,
  chain: SvmSolverChain['chain'],
  outbox: SvmOutbox,
) {
  /** When each transaction was sent last, and since when it has its number of attempts. */
  const times = new Map<string, { sentAt: number; attempts: number; since: number }>()
  return {
    keepOnly: (ids: ReadonlySet<string>): void => {
      for (const id of times.keys()) if (!ids.has(id)) times.delete(id)
    },
    async push(transaction: SolverTransaction): Promise<void> {
      const { transactionId, attempts } = transaction
      const last = attempts.at(-1)
      const known = times.get(transactionId)
      const time =
        known?.attempts === attempts.length
          ? known
          : { sentAt: now(), attempts: attempts.length, since: now() }
      times.set(transactionId, time)
      const gas = market.latest(chain.id)?.gas
      const price = last?.maxFeePerGas ?? 0n
      if (gas?.vmType === 'svm' && now() - time.since >= raiseMs && price < highestPrice) {
        const doubled = 2n * (price > gas.microLamportsPerUnit ? price : gas.microLamportsPerUnit)
        log.info(
          { chainId: chain.id, transactionId },
          'A transaction waits too long: raises its fee',
        )
        await outbox.replace(
          transaction,
          doubled < highestPrice ? doubled : highestPrice,
          (replaced) => ({ transactions: [replaced] }),
        )
        return
      }
      if (now() - time.sentAt < resendMs) return
      time.sentAt = now()
      outbox.resend(transaction)
    },
  }
}
