import type { FoundLog, LogPlace, LogSearch, SearchState, SearchStore } from './searchStore.ts'

type Kept = { state: SearchState; logs: FoundLog[] }

/** Searches of this process alone, for as long as it runs. */
export function createMemorySearches(): SearchStore {
  const searches = new Map<string, Kept>()
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
      const kept = searches.get(keyOf(search))
      if (kept?.state.next !== after) return false
      kept.state = state
      for (const log of logs) kept.logs.push(log)
      return true
    },
    foundLogs: async (search, { after, limit }) => {
      const logs = searches.get(keyOf(search))?.logs ?? []
      const start = after === undefined ? 0 : logs.findIndex((log) => isAbove(log, after))
      return start < 0 ? [] : logs.slice(start, start + limit)
    },
    forgetSearch: async (search) => void searches.delete(keyOf(search)),
    claimTurn: async ({ duty, holder }) => {
      if ((holders.get(duty) ?? holder) !== holder) return undefined
      holders.set(duty, holder)
      return { duty, token: 1n }
    },
    endTurn: async ({ duty }) => void holders.delete(duty),
  }
}

const isAbove = (log: LogPlace, place: LogPlace): boolean =>
  log.blockNumber > place.blockNumber ||
  (log.blockNumber === place.blockNumber && log.logIndex > place.logIndex)
