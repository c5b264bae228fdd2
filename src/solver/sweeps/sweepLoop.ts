import { LRUCache } from 'lru-cache'
import { AppError } from '#src/core/errors.ts'
import type { Account } from '#src/core/units/address.ts'
import { maxWatchedAddresses, type WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { WorkView } from '#src/solver/chainView.ts'
import { createFailedLast } from '#src/solver/failedLast.ts'
import type { OwnChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import {
  type Balance,
  createSweepCandidates,
  decideSweep,
  type SweepCandidate,
} from './sweepCandidates.ts'

/** Sweeps per round, including those that would revert. */
const maxTries = 32
/** Delay before an address whose sweep would revert is tried again, so that it does not displace others. */
const retryMs = 60_000

/** What sweeping depends on the chain's virtual machine for. */
type SweepMachine<View extends WorkView> = Readonly<{
  /** Those of each candidate, without zeros. */
  readBalances: (
    candidates: readonly SweepCandidate[],
    view: View,
  ) => Promise<readonly (readonly Balance[])[]>
  /** Requests with a sweep that no block includes yet. After a mined sweep, the balance is a new payment. */
  underWay: (view: View) => ReadonlySet<string | undefined>
  /** Sends a sweep. `refused`: it would revert. */
  sweep: (
    watched: WatchedAddress,
    currencies: readonly Account[],
    view: View,
  ) => Promise<'done' | 'refused'>
}>

type Ports = Runtime & Readonly<{ store: RequestStore; market: SolverMarket }>

/**
 * Sweeps deposit addresses of a chain of any virtual machine into its depository. All addresses are checked in rotation
 * for the currency of their order, and addresses with a sweep hint for every currency that the solver bridges. Anybody
 * may sweep an address, and only into the depository: a repeated or late sweep costs only gas. The sweep's deposit is
 * then handled like any other.
 */
export function createSweepLoop<View extends WorkView>(
  ports: Ports,
  ownChain: OwnChain,
  machine: SweepMachine<View>,
): (view: View) => Promise<void> {
  const { log, market, now } = ports
  const { chain } = ownChain
  const candidates = createSweepCandidates(ports, ownChain)
  /** First time at which each address had a balance that still waits for its sweep, in seconds of chain time. */
  const since = new LRUCache<string, number>({ max: maxWatchedAddresses })
  /** End of the delay of addresses whose sweep would revert, in milliseconds of `now`. */
  const blockedUntil = new LRUCache<string, number>({ max: maxWatchedAddresses })

  /** An unexpected error of one address does not stop the others. */
  async function trySweep(
    watched: WatchedAddress,
    currencies: readonly Account[],
    view: View,
  ): Promise<void> {
    const { requestId } = watched
    try {
      const outcome = await machine.sweep(watched, currencies, view)
      if (outcome === 'refused') blockedUntil.set(requestId, now() + retryMs)
    } catch (error) {
      if (error instanceof AppError) throw error
      log.error({ chainId: chain.id, requestId, err: error }, 'A deposit address cannot be swept')
    }
  }

  const inTurn = createFailedLast<[number, SweepCandidate]>(([, { watched }]) => watched.requestId)

  return async (view) => {
    const chainTime = Number(view.head.timestamp)
    const found = await candidates.next()
    if (found.length === 0) return
    const balances = await machine.readBalances(found, view)
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return
    const underWay = machine.underWay(view)
    let tries = 0
    await inTurn([...found.entries()], async ([at, { watched }]) => {
      const { requestId } = watched
      const held = balances[at] ?? []
      if (held.length === 0) since.delete(requestId)
      const isBlocked = underWay.has(requestId) || (blockedUntil.get(requestId) ?? 0) > now()
      if (held.length === 0 || isBlocked || tries === maxTries) return
      const first = since.get(requestId) ?? chainTime
      const times = { now: chainTime, since: first }
      const decision = decideSweep(watched, held, snapshot, chainMarket, times)
      if (decision === 'wait') since.set(requestId, first)
      else since.delete(requestId)
      if (decision.length > 0) candidates.keepHint(requestId)
      if (decision === 'wait' || decision.length === 0) return
      tries += 1
      await trySweep(watched, decision, view)
    })
  }
}
