import { LRUCache } from 'lru-cache'
import { AppError } from '#src/errors.ts'
import { sweepCall } from '#src/execution/calls/depositAddress.ts'
import { maxWatchedAddresses, type WatchedAddress } from '#src/requests/watchedAddress.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { type Estimate, estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { decideSweep } from './decideSweep.ts'
import { readHoldings } from './readHoldings.ts'
import { createSweepRotation } from './sweepRotation.ts'

/** Sweeps of one look, with those that turn out to revert. */
const maxTries = 32
/** Addresses that somebody asked for, and that are looked at together. More wait for their turn. */
const maxAsked = 500
/** So long they are looked at, and longer only while they hold something that is to be swept. */
const askedMs = 60_000
/** A sweep that would revert is not tried again for so long: it must not take the place of others. */
const restMs = 60_000

type Candidate = Readonly<{ watched: WatchedAddress; currencies: readonly Address[] }>

/**
 * Sweeps deposit addresses into the depository: those that hold the currency of their order, in turns, and those that
 * somebody asks for, whatever currency of the solver they hold. Balances are read, and not logs: a payment by a contract
 * leaves none. A sweep moves nothing but what the address holds, to where anybody may move it, so that sending one twice
 * or too late costs gas and nothing else; what becomes of the deposit is decided like for any other.
 */
export function createSweeps(
  deps: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market' | 'now'>,
  solverChain: SolverChain,
  outbox: Outbox,
): (view: ChainView) => Promise<void> {
  const { client, store, log, market, now } = deps
  const { chain, solver, contracts } = solverChain
  const factory = contracts.depositAddressFactory
  const rotation = createSweepRotation(deps, solverChain)
  /** When each address was first seen to hold something that is not swept, in seconds of chain time. */
  const since = new LRUCache<string, number>({ max: maxWatchedAddresses })
  /** Until when addresses whose sweep would revert are left alone, in milliseconds of `now`. */
  const resting = new LRUCache<string, number>({ max: maxWatchedAddresses })
  /** Requests that somebody asked for, and until when they are looked at, in milliseconds of `now`. */
  const asked = new Map<string, number>()

  /** Native currency, and what the solver bridges. */
  const allCurrencies = (): readonly Address[] => {
    const { assets } = market.snapshot([chain.id])
    const held = assets.flatMap(({ currencies }) => currencies.get(chain.id)?.address ?? [])
    return [...new Set([nativeAddress, ...held])]
  }

  async function takeAsked(): Promise<readonly Candidate[]> {
    for (const [requestId, until] of asked) if (until < now()) asked.delete(requestId)
    const room = maxAsked - asked.size
    const named = room > 0 ? await store.takeSweepHints(chain.id, room) : []
    for (const requestId of named) asked.set(requestId, now() + askedMs)
    if (asked.size === 0) return []
    const found = await store.findAddresses([...asked.keys()])
    const currencies = allCurrencies()
    return found.map((watched) => ({ watched, currencies }))
  }

  async function candidates(): Promise<readonly Candidate[]> {
    const first = await takeAsked()
    const taken = new Set(first.map(({ watched }) => watched.requestId))
    const next = await rotation.next()
    const others = next.filter(({ requestId }) => !taken.has(requestId))
    return [...first, ...others.map((watched) => ({ watched, currencies: [watched.currency] }))]
  }

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
    // A currency whose issuer has blocked the address must not hold up what else it holds.
    for (const currency of currencies.length > 1 ? currencies : [])
      if (tried.estimate.kind === 'reverts') tried = await attempt([currency])
    const { some, call, estimate } = tried
    if (estimate.kind !== 'gas') {
      const reason = reasonOf(estimate)
      // Somebody has swept it, or a reorg took its payment back: what comes next need not rest for that.
      if (reason !== 'NothingToSweep') resting.set(requestId, now() + restMs)
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
    const found = await candidates()
    if (found.length === 0) return
    const accounts = found.map(({ watched: { address }, currencies }) => ({ address, currencies }))
    const holdings = await readHoldings(client, accounts, view.head.hash)
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return
    const underWay = sweepsUnderWay(view)
    let tries = 0
    for (const [at, { watched }] of found.entries()) {
      const { requestId } = watched
      const held = holdings[at] ?? []
      if (held.length === 0) since.delete(requestId)
      const isResting = underWay.has(requestId) || (resting.get(requestId) ?? 0) > now()
      if (held.length === 0 || isResting || tries === maxTries) continue
      const first = since.get(requestId) ?? chainTime
      const times = { now: chainTime, since: first }
      const decision = decideSweep(watched, held, snapshot, chainMarket, times)
      if (decision === 'wait') since.set(requestId, first)
      else since.delete(requestId)
      if (decision.length > 0 && asked.has(requestId)) asked.set(requestId, now() + askedMs)
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

/** Requests whose sweep no block includes. After one that is in a block, what the address holds is new. */
const sweepsUnderWay = ({ open, nonces }: ChainView): ReadonlySet<string | undefined> =>
  new Set(
    open
      .filter(({ purpose, nonce }) => purpose === 'sweep' && nonce >= nonces.mined)
      .map(({ requestId }) => requestId),
  )
