import type { TransactionSize } from '#src/core/pricing/gas/gas.ts'
import { sizesOf } from '#src/core/pricing/gas/transactionSizes.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { Account } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { WatchedAddress } from '#src/requests/addressStore.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { refundAmount } from '#src/solver/payouts/refundPayout.ts'
import type { OwnChain, SolverMarket } from '#src/solver/ports.ts'

/** Addresses per read of the store. Their balances take one multicall. */
const windowSize = 500
/** Target time of one rotation. With a call at least every 10 s, each address is read within a minute. */
const rotationMs = 40_000

/**
 * Rotates through all watched addresses of a chain. Each call returns all addresses if they are few, else enough of
 * them to complete a rotation in less than a minute.
 */
export function createSweepRotation(
  { store, now }: Readonly<{ store: RequestStore; now: () => number }>,
  { chain }: OwnChain,
): Readonly<{ next: () => Promise<readonly WatchedAddress[]> }> {
  /** The last address of the last window; undefined if the rotation starts again. */
  let after: string | undefined
  /** Addresses in the last complete rotation, and so far in this one. The first rotation takes a single call. */
  let known = Number.POSITIVE_INFINITY
  let seen = 0
  let lastCallAt = Number.NEGATIVE_INFINITY

  async function nextWindow(): Promise<readonly WatchedAddress[]> {
    const page = { ...(after !== undefined && { after }), limit: windowSize }
    const found = await store.watchedAddresses(chain.id, Math.floor(now() / 1000), page)
    seen += found.length
    const isLast = found.length < windowSize
    after = isLast ? undefined : found.at(-1)?.requestId
    if (isLast) [known, seen] = [seen, 0]
    return found
  }

  return {
    async next() {
      const elapsed = Math.min(now() - lastCallAt, rotationMs)
      const due = (known * elapsed) / rotationMs
      const found: WatchedAddress[] = []
      do found.push(...(await nextWindow()))
      while (after !== undefined && found.length < due)
      lastCallAt = now()
      return found
    },
  }
}

/** Addresses with a sweep hint that are checked in one round. Further hints stay in the store. */
const maxHinted = 500
/** A hinted address is checked for this time, and longer while it has a balance to sweep. */
const hintMs = 60_000

type Ports = Readonly<{
  store: RequestStore
  market: SolverMarket
  /** Milliseconds since 1970. */
  now: () => number
}>

/** An address to check for a balance in these currencies. */
export type SweepCandidate = Readonly<{ watched: WatchedAddress; currencies: readonly Account[] }>

type SweepCandidates = Readonly<{
  next: () => Promise<readonly SweepCandidate[]>
  /** The address has a balance to sweep: its hint stays. */
  keepHint: (requestId: string) => void
}>

/**
 * The addresses of each round: those with a sweep hint for every currency that the solver bridges, and some of all
 * others, in rotation, for the currency of their order.
 */
export function createSweepCandidates(ports: Ports, ownChain: OwnChain): SweepCandidates {
  const { store, market, now } = ports
  const { chain } = ownChain
  const rotation = createSweepRotation(ports, ownChain)
  /** Requests with a sweep hint, and the time until which they are checked, in milliseconds of `now`. */
  const hintedUntil = new Map<string, number>()

  /** The native currency and the currencies that the solver bridges. */
  const allCurrencies = (): readonly Account[] => {
    const { assets, chains } = market.snapshot([chain.id])
    const native = chains.get(chain.id)?.chain.native
    const held = assets.flatMap(({ currencies }) => currencies.get(chain.id) ?? [])
    return [...new Set([native ?? [], held].flat().map(({ address }) => address))]
  }

  async function takeHinted(): Promise<readonly SweepCandidate[]> {
    for (const [requestId, until] of hintedUntil) if (until < now()) hintedUntil.delete(requestId)
    const capacity = maxHinted - hintedUntil.size
    const hints = capacity > 0 ? await store.takeSweepHints(chain.id, capacity) : []
    for (const requestId of hints) hintedUntil.set(requestId, now() + hintMs)
    if (hintedUntil.size === 0) return []
    const found = await store.findAddresses([...hintedUntil.keys()])
    const currencies = allCurrencies()
    return found.map((watched) => ({ watched, currencies }))
  }

  return {
    async next() {
      const first = await takeHinted()
      const taken = new Set(first.map(({ watched }) => watched.requestId))
      const others = (await rotation.next()).filter(({ requestId }) => !taken.has(requestId))
      return [...first, ...others.map((watched) => ({ watched, currencies: [watched.currency] }))]
    },
    keepHint: (requestId) => {
      if (hintedUntil.has(requestId)) hintedUntil.set(requestId, now() + hintMs)
    },
  }
}

export type Balance = Readonly<{ currency: Account; amount: Amount }>

/**
 * Time in seconds that an incomplete payment waits for the rest. An attacker who sees a pending payment can send a
 * small amount to its address first. If it were swept alone, the request would end with a refund.
 */
export const topUpSeconds = 600

/**
 * The currencies of an address to sweep now. `wait`: check again later. Empty: no balance is worth a sweep.
 * - A complete payment is swept alone and at once, if it is worth more than the sweep.
 * - A balance of an open address is swept at once, if it is worth more than the sweep and a refund.
 * - A balance that can only be refunded is swept if it is worth more than the sweep and the refund. While the order
 *   awaits its deposit, it is swept only after `topUpSeconds`.
 * @param market of the chain that has the balances
 * @param times of the chain, in seconds since 1970; `since`: first time at which the address had a balance to sweep
 */
export function decideSweep(
  watched: WatchedAddress,
  balances: readonly Balance[],
  { assets }: Pick<Market, 'assets'>,
  market: ChainMarket,
  { now, since }: Readonly<{ now: number; since: number }>,
): readonly Account[] | 'wait' {
  const chainId = market.chain.id
  const sizes = sizesOf(market.gas)
  const pays = (balance: Balance, size: TransactionSize) =>
    refundAmount({ chainId, ...balance }, { assets }, market, size).kind === 'amount'
  const isAwaited =
    !watched.isOpen &&
    watched.chainId === chainId &&
    watched.status === 'waiting' &&
    now <= watched.deadline
  const complete = balances.find(
    ({ currency, amount }) =>
      isAwaited && currency === watched.currency && amount >= watched.leastDeposit,
  )
  if (complete !== undefined && pays(complete, sizes.sweep(complete.currency)))
    return [complete.currency]
  const refundable = balances.filter((each) => pays(each, withRefund(sizes, each)))
  if (refundable.length === 0) return []
  return isAwaited && now - since < topUpSeconds
    ? 'wait'
    : refundable.map(({ currency }) => currency)
}

function withRefund(sizes: ReturnType<typeof sizesOf>, { currency }: Balance): TransactionSize {
  const [sweep, refund] = [sizes.sweep(currency), sizes.refund(currency)]
  return { gas: sweep.gas + refund.gas, bytes: sweep.bytes + refund.bytes }
}
