import { AppError } from '#src/errors.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { maxLiveAddresses, maxWatchedAddresses } from '#src/requests/watchedAddress.ts'
import { createOpenQuotes } from './openQuotes.ts'

/** Limits the deposit addresses that are watched: of each caller, and in all. */
export type AddressLimits = Readonly<{
  /**
   * Takes the place of one more address.
   * @throws AppError TOO_MANY_OPEN_QUOTES, or SERVICE_UNAVAILABLE where all places are taken or the store does not answer
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
    refuse: (most) =>
      new AppError(
        'TOO_MANY_OPEN_QUOTES',
        `useDepositAddress: you have ${most} deposit addresses that are not paid. Pay one, or ask without useDepositAddress. An API key has a limit of its own.`,
        { field: 'useDepositAddress', maxLiveAddresses: most },
      ),
  })
  const all = createOpenQuotes({
    count: (_, terms) => requests.countWatchedAddresses(terms),
    now,
    refuse: (most) =>
      new AppError(
        'SERVICE_UNAVAILABLE',
        `useDepositAddress: all ${most} deposit addresses that can be watched are in use. Ask without useDepositAddress, or later.`,
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
