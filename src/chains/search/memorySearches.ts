import type { FoundLog, LogPlace, LogSearch, SearchState, SearchStore } from './searchStore.ts'

type StoredSearch = { state: SearchState; logs: FoundLog[] }

/** A store in memory, for one process. */
export function createMemorySearches(): SearchStore {
  const searches = new Map<string, StoredSearch>()
  const holders = new Map<string, string>()
  const keyOf = ({ chainId, genesis, address, topic }: LogSearch) =>
    [chainId, genesis, address, topic].join()

  return {
    findSearch: async (search) => searches.get(keyOf(search))?.state,
    beginSearch: async (search, state) => {
      const key = keyOf(search)
      if (!searches.has(key)) searches.set(key, { state, logs: [] })
    },
    advanceSearch: async (search, { after, state, logs }) => {
      const stored = searches.get(keyOf(search))
      if (stored?.state.next !== after) return false
      stored.state = state
      for (const log of logs) stored.logs.push(log)
      return true
    },
    foundLogs: async (search, { after, limit }) => {
      const logs = searches.get(keyOf(search))?.logs ?? []
      const start = after === undefined ? 0 : logs.findIndex((log) => isAbove(log, after))
      return start < 0 ? [] : logs.slice(start, start + limit)
    },
    forgetSearch: async (search) => void searches.delete(keyOf(search)),
    acquireLease: async ({ duty, holder }) => {
      if ((holders.get(duty) ?? holder) !== holder) return undefined
      holders.set(duty, holder)
      return { duty, token: 1n }
    },
    releaseLease: async ({ duty }) => void holders.delete(duty),
  }
}

const isAbove = (log: LogPlace, place: LogPlace): boolean =>
  log.blockNumber > place.blockNumber ||
  (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
