import type { Address } from '#src/core/units/address.ts'
import type { CurrencyChecks } from '#src/market/currencies/currencyChecks.ts'
import type { DiscoveredPool } from '#src/market/kinds/kinds.ts'
import { createVerificationQueue } from './verification/verificationQueue.ts'

/** The currencies of the tracked pools, and the schedule of their checks. */
export type PoolCurrencies = Readonly<{
  /** Adds the currencies of a tracked pool. The next `checkNew` checks those without a check result. */
  add: (pool: Sides) => void
  /** Removes the currencies of the pools `gone` that are in no pool of `left`. */
  remove: (gone: readonly DiscoveredPool[], left: Iterable<DiscoveredPool>) => void
  /** Whether `checkNew` has anything to check. With a pool: whether it is a currency of this pool. */
  areNew: (pool?: Sides) => boolean
  /** @returns whether any currency became accepted or refused. @throws as `check` */
  checkNew: () => Promise<boolean>
  /** Milliseconds until `verify` has work. */
  verifyInMs: () => number
  /** Checks up to `max` due currencies. @returns as `checkNew` @throws as `check` */
  verify: (max: number) => Promise<boolean>
}>

type Deps = Readonly<{
  checks: CurrencyChecks
  /** Checks currencies at the head. */
  check: (currencies: readonly Address[]) => Promise<boolean>
  /** A monotonic clock, in milliseconds. */
  now: () => number
}>

type Sides = Readonly<{ currency0: Address; currency1: Address }>

const sidesOf = ({ currency0, currency1 }: Sides): readonly Address[] => [currency0, currency1]

/** @param everyMs interval at which each currency is due. */
export function createPoolCurrencies(
  { checks, check, now }: Deps,
  everyMs: number,
): PoolCurrencies {
  const unchecked = new Set<Address>()
  const queue = createVerificationQueue<Address>({ now }, everyMs)

  return {
    add(pool) {
      for (const currency of sidesOf(pool)) {
        queue.add(currency)
        if (!checks.isAccepted(currency) && !checks.refusals().has(currency))
          unchecked.add(currency)
      }
    },
    remove(gone, left) {
      const unused = new Set(gone.flatMap(sidesOf))
      for (const pool of left) for (const currency of sidesOf(pool)) unused.delete(currency)
      for (const currency of unused) {
        queue.remove(currency)
        unchecked.delete(currency)
      }
      checks.forget([...unused])
    },
    areNew: (pool) =>
      pool === undefined ? unchecked.size > 0 : sidesOf(pool).some((each) => unchecked.has(each)),
    async checkNew() {
      const due = [...unchecked]
      const isChanged = await check(due)
      for (const currency of due) unchecked.delete(currency)
      return isChanged
    },
    verifyInMs: queue.waitMs,
    async verify(max) {
      const due = queue.due(max)
      const isChanged = await check(due)
      for (const currency of due) queue.verified(currency)
      return isChanged
    },
  }
}
