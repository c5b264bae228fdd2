import { LRUCache } from 'lru-cache'
import { AppError } from '#src/errors.ts'
import { sweepCall } from '#src/execution/calls/depositAddress.ts'
import { maxWatchedAddresses, type WatchedAddress } from '#src/requests/watchedAddress.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { estimateGas } from '#src/solver/sending/estimateGas.ts'
import { marketFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'
import { decideSweep, topUpSeconds } from './decideSweep.ts'
import { readHoldings } from './readHoldings.ts'
import { createSweepRotation } from './sweepRotation.ts'

/** Sweeps of one look. */
const maxSweeps = 32
/** Addresses that somebody asked for, and that are looked at for a while. */
const maxAsked = 1000

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
  const { client, store, log, market } = deps
  const { chain, solver, contracts } = solverChain
  const factory = contracts.depositAddressFactory
  const rotation = createSweepRotation(deps, solverChain)
  /** When each address was first seen to hold something that is not swept, in seconds of chain time. */
  const since = new LRUCache<string, number>({ max: maxWatchedAddresses })
  /** Requests that somebody asked for, until this chain time in seconds. */
  const asked = new Map<string, number>()

  /** Native currency, and what the solver bridges. */
  const allCurrencies = (): readonly Address[] => {
    const { assets } = market.snapshot([chain.id])
    const held = assets.flatMap(({ currencies }) => currencies.get(chain.id)?.address ?? [])
    return [...new Set([nativeAddress, ...held])]
  }

  async function takeAsked(chainTime: number): Promise<readonly Candidate[]> {
    for (const requestId of await store.takeSweepHints(chain.id))
      if (asked.size < maxAsked) asked.set(requestId, chainTime + 2 * topUpSeconds)
    for (const [requestId, until] of asked) if (until < chainTime) asked.delete(requestId)
    if (asked.size === 0) return []
    const found = await store.findAddresses([...asked.keys()])
    const currencies = allCurrencies()
    return found.map((watched) => ({ watched, currencies }))
  }

  async function candidates(chainTime: number): Promise<readonly Candidate[]> {
    const first = await takeAsked(chainTime)
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
    const call = sweepCall(at, { orderId, depositor }, currencies)
    const estimate = await estimateGas(client, solver, call, fees)
    const facts = { chainId: chain.id, requestId, address }
    if (estimate.kind !== 'gas') {
      const reason =
        estimate.kind === 'reverts' ? (estimate.error ?? estimate.reason) : estimate.kind
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
    if (saved === 'saved') log.info({ ...facts, currencies }, 'Sweeps a deposit address')
  }

  return async (view) => {
    if (factory === undefined) return
    const chainTime = Number(view.head.timestamp)
    const found = await candidates(chainTime)
    if (found.length === 0) return
    const accounts = found.map(({ watched: { address }, currencies }) => ({ address, currencies }))
    const holdings = await readHoldings(client, accounts, view.head.hash)
    const snapshot = market.snapshot([chain.id])
    const chainMarket = snapshot.chains.get(chain.id)
    if (chainMarket === undefined) return
    const underWay = new Set(
      view.open
        .filter(({ purpose, status }) => purpose === 'sweep' && status !== 'reverted')
        .map(({ requestId }) => requestId),
    )
    let sent = 0
    for (const [at, { watched }] of found.entries()) {
      const { requestId } = watched
      const held = holdings[at] ?? []
      if (held.length === 0) since.delete(requestId)
      if (held.length === 0 || underWay.has(requestId) || sent === maxSweeps) continue
      const first = since.get(requestId) ?? chainTime
      const times = { now: chainTime, since: first }
      const decision = decideSweep(watched, held, snapshot, chainMarket, times)
      if (decision === 'wait') since.set(requestId, first)
      else since.delete(requestId)
      if (decision === 'wait' || decision.length === 0) continue
      sent += 1
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
