import { AppError } from '#src/errors.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { maxLiveAddresses, maxWatchedAddresses } from '#src/requests/watchedAddress.ts'
import { createOpenQuotes } from './openQuotes.ts'

/** Limits the number of watched deposit addresses: per caller, and in total. */
export type AddressLimits = Readonly<{
  /**
   * Counts one more address.
   * @throws AppError TOO_MANY_OPEN_QUOTES, or SERVICE_UNAVAILABLE if the total is reached or the store does not answer
   */
  admit: (caller: string) => Promise<void>
}>

export function createAddressLimits(
  {
    requests,
    now,
  }: Readonly<{
    requests: Pick<RequestStore, 'countLiveAddresses' | 'countWatchedAddresses'>
    /** Milliseconds since 1970. */
    now: () => number
  }>,
  { maxLive, maxWatched } = { maxLive: maxLiveAddresses, maxWatched: maxWatchedAddresses },
): AddressLimits {
  const own = createOpenQuotes({
    count: requests.countLiveAddresses,
    now,
    refuse: (max) =>
      new AppError(
        'TOO_MANY_OPEN_QUOTES',
        `useDepositAddress: you have ${max} unpaid deposit addresses. Pay one, or ask without useDepositAddress. An API key has its own limit.`,
        { field: 'useDepositAddress', maxLiveAddresses: max },
      ),
  })
  const all = createOpenQuotes({
    count: (_, terms) => requests.countWatchedAddresses(terms),
    now,
    refuse: (max) =>
      new AppError(
        'SERVICE_UNAVAILABLE',
        `useDepositAddress: all ${max} deposit addresses that can be watched are in use. Ask without useDepositAddress, or later.`,
        { field: 'useDepositAddress' },
      ),
  })
  return {
    admit: async (caller) => {
      await own.admit(caller, maxLive)
      await all.admit('all', maxWatched)
    },
  }
}
