import { LRUCache } from 'lru-cache'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { AppError } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import { sweepCall } from '#src/protocol/calls/depositAddress.ts'
import { maxWatchedAddresses, type WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { Runtime, SolverChain, SolverMarket } from '#src/solver/ports.ts'
import { type Estimate, estimateGas, marketFees } from '#src/solver/sending/estimateGas.ts'
import type { Sender } from '#src/solver/sending/outbox.ts'
import { createSweepCandidates, decideSweep, readBalances } from './sweepCandidates.ts'

/** Sweeps per round, including those that would revert. */
const maxTries = 32
/** Delay before an address whose sweep would revert is tried again, so that it does not displace others. */
const retryMs = 60_000

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

/**
 * Sweeps deposit addresses into the depository. All addresses are checked in rotation for the currency of their order,
 * and addresses with a sweep hint for every currency that the solver bridges. Reads balances, not logs: a native
 * payment by a contract leaves no log. Anybody may sweep an address, and only into the depository: a repeated or late
 * sweep costs only gas. The sweep's deposit is then handled like any other.
 */
export function createSweeps(
  ports: Ports,
  solverChain: SolverChain,
  outbox: Sender,
): (view: ChainView) => Promise<void> {
  const { client, log, market, now } = ports
  const { chain, solver, contracts } = solverChain
  const factory = contracts.depositAddressFactory
  const candidates = createSweepCandidates(ports, solverChain)
  /** First time at which each address had a balance that still waits for its sweep, in seconds of chain time. */
  const since = new LRUCache<string, number>({ max: maxWatchedAddresses })
  /** End of the delay of addresses whose sweep would revert, in milliseconds of `now`. */
  const blockedUntil = new LRUCache<string, number>({ max: maxWatchedAddresses })

  async function sweep(
    { requestId, orderId, depositor, address }: WatchedAddress,
    currencies: readonly Address[],
    at: Address,
    { head }: ChainView,
  ): Promise<void> {
    const gas = market.latest(chain.id)?.gas
    if (gas === undefined) return
    const fees = marketFees(gas)
    const facts = { chainId: chain.id, requestId, address }
    const attempt = async (some: readonly Address[]) => {
      const call = sweepCall(at, { orderId, depositor }, some)
      return { some, call, estimate: await estimateGas(client, solver, call, fees) }
    }
    let tried = await attempt(currencies)
    // A currency whose issuer has blocked the address must not block the other currencies.
    for (const currency of currencies.length > 1 ? currencies : [])
      if (tried.estimate.kind === 'reverts') tried = await attempt([currency])
    const { some, call, estimate } = tried
    if (estimate.kind !== 'gas') {
      const reason = reasonOf(estimate)
      // The address is empty, because somebody swept it or a reorg undid its payment. New payments need no delay.
      if (reason !== 'NothingToSweep') blockedUntil.set(requestId, now() + retryMs)
      return log.info({ ...facts, reason }, 'A deposit address cannot be swept; will retry')
    }
    const saved = await outbox.send(
      {
        transactionId: `sweep:${requestId}:${head.number}`,
        purpose: 'sweep',
        requestId,
        depositIds: [],
        spends: [],
        call,
        gas: estimate.gas,
      },
      fees,
      (transaction) => ({ transactions: [transaction] }),
    )
    if (saved === 'saved') log.info({ ...facts, currencies: some }, 'Sweeps a deposit address')
  }

  return async (view) => {
    if (factory === undefined) return
    const chainTime = Number(view.head.timestamp)
    const found = await candidates.next()
    if (found.length === 0) return
    const accounts = found.map(({ watched: { address }, currencies }) => ({ address, currencies }))
    const balances = await readBalances(client, accounts, view.head.hash)
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return
    const underWay = sweepsUnderWay(view)
    let tries = 0
    for (const [at, { watched }] of found.entries()) {
      const { requestId } = watched
      const held = balances[at] ?? []
      if (held.length === 0) since.delete(requestId)
      const isBlocked = underWay.has(requestId) || (blockedUntil.get(requestId) ?? 0) > now()
      if (held.length === 0 || isBlocked || tries === maxTries) continue
      const first = since.get(requestId) ?? chainTime
      const times = { now: chainTime, since: first }
      const decision = decideSweep(watched, held, snapshot, chainMarket, times)
      if (decision === 'wait') since.set(requestId, first)
      else since.delete(requestId)
      if (decision.length > 0) candidates.keepHint(requestId)
      if (decision === 'wait' || decision.length === 0) continue
      tries += 1
      await trySweep(watched, () => sweep(watched, decision, factory, view))
    }
  }

  /** An unexpected error of one address does not stop the others. */
  async function trySweep({ requestId }: WatchedAddress, run: () => Promise<void>): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ chainId: chain.id, requestId, err: error }, 'A deposit address cannot be swept')
    }
  }
}

const reasonOf = (estimate: Exclude<Estimate, { kind: 'gas' }>): string =>
  estimate.kind === 'reverts' ? (estimate.error ?? estimate.reason) : estimate.kind

/** Requests with a sweep that no block includes yet. After a mined sweep, the balance is a new payment. */
const sweepsUnderWay = ({ open, nonces }: ChainView): ReadonlySet<string | undefined> =>
  new Set(
    open
      .filter(({ purpose, nonce }) => purpose === 'sweep' && nonce >= nonces.mined)
      .map(({ requestId }) => requestId),
  )
