import { AppError } from '#src/core/errors.ts'
import type { AddressStore } from '#src/requests/addressStore.ts'
import { maxLiveAddresses, maxWatchedAddresses } from '#src/requests/addressStore.ts'
import { isKeyQuota, networkLevels } from '#src/service/callers.ts'
import { createOpenQuotes } from './openQuotes.ts'

/** Shares the watched deposit addresses fairly between callers. */
export type AddressLimits = Readonly<{
  /**
   * Counts one more address. If all are in use, those that have waited longest for a payment are given up, of the
   * callers with the most.
   * @param quota the caller's name as `quotaOf` gives it
   * @throws AppError TOO_MANY_OPEN_QUOTES, or SERVICE_UNAVAILABLE if all are in use or the store does not answer
   */
  admit: (quota: string) => Promise<void>
}>

/** The reserve of API keys is one in this number of all addresses. */
const keyReserve = 4
/**
 * A caller may hold as many addresses as a part of those that are free. So no number of greedy callers takes all: 100
 * leave a fifth, 1,000 leave a fiftieth.
 */
const freeShare = 25
/** An address is given up after this time without a payment, not before: its user may be about to pay. */
const minUnpaidMs = 10 * 60_000
/** The same for the last address of a caller. */
const minLastUnpaidMs = 24 * 3_600_000
/** One in this number of all addresses is given up at once, because choosing them reads the rows of all. */
const evictedShare = 100

export function createAddressLimits(
  {
    requests,
    now,
  }: Readonly<{
    requests: AddressStore
    /** Milliseconds since 1970. */
    now: () => number
  }>,
  { maxLive, maxWatched } = { maxLive: maxLiveAddresses, maxWatched: maxWatchedAddresses },
): AddressLimits {
  const held = createOpenQuotes({
    count: (network, { now: at }) =>
      requests.countLiveAddresses(network, { now: at, limit: maxWatched }),
    now,
    refuse: (max) =>
      new AppError(
        'TOO_MANY_OPEN_QUOTES',
        `useDepositAddress: you or your network have ${max} unpaid deposit addresses. Pay one, or ask without useDepositAddress. An API key has its own limit.`,
        { field: 'useDepositAddress', maxLiveAddresses: max },
      ),
  })
  const refuseAll = () =>
    new AppError(
      'SERVICE_UNAVAILABLE',
      `useDepositAddress: all ${maxWatched} deposit addresses that can be watched are in use. Ask without useDepositAddress, or later.`,
      { field: 'useDepositAddress' },
    )
  const reserved = Math.floor(maxWatched / keyReserve)

  /** The addresses of API keys, or those of all others. */
  function createPool(of: 'keys' | 'networks', size: number) {
    const all = createOpenQuotes({
      count: (_, terms) => requests.countWatchedAddresses(of, terms),
      now,
      refuse: refuseAll,
    })
    let evicting: Promise<number> | undefined
    /** Evicts once for all callers that wait for it. */
    const evict = (): Promise<number> => {
      const at = now()
      const terms = {
        now: at,
        before: at - minUnpaidMs,
        lastBefore: at - minLastUnpaidMs,
        limit: Math.ceil(maxWatched / evictedShare),
      }
      evicting ??= requests.evictUnpaidAddresses(of, terms).finally(() => {
        evicting = undefined
        all.forget('all')
      })
      return evicting
    }
    return {
      /** The number of free addresses. @throws AppError if there is none. */
      async free(): Promise<number> {
        const used = await all.used('all', size)
        const left = used < size || (await evict()) === 0 ? used : await all.used('all', size)
        if (left >= size) throw refuseAll()
        return size - left
      },
      take: () => all.admit('all', size),
    }
  }
  const keys = createPool('keys', reserved)
  const networks = createPool('networks', maxWatched - reserved)

  return {
    admit: async (quota) => {
      const pool = isKeyQuota(quota) ? keys : networks
      const share = Math.max(1, Math.floor((await pool.free()) / freeShare))
      // From the narrowest network to the widest one.
      for (const [level, network] of networkLevels(quota).entries())
        await held.admit(network, Math.min(share, maxLive * (level + 1)))
      await pool.take()
    },
  }
}
