import type {
  RequestChange,
  RequestState,
  RequestStatus,
  StoredRequest,
} from '#src/requests/state/requestState.ts'
import { initialState } from '#src/requests/state/requestState.ts'
import { quotedRequest } from '#test/support/fixtures/quotedRequest.ts'

/** The id of the nth request of a test. */
export const idOf = (at: number): `0x${string}` => `0x${at.toString(16).padStart(64, '0')}`

/** An in-memory store of requests and their changes, with the functions that the hub uses. */
export function createStoreModel() {
  const requests = new Map<string, { stored: StoredRequest; changes: RequestChange[] }>()
  return {
    put: (requestId: `0x${string}`): void => {
      const quoted = quotedRequest(requestId)
      const stored = { ...quoted, state: initialState(quoted), version: 1 }
      requests.set(requestId, { stored, changes: [] })
    },
    /** Commits the next change of a request, with this number of transactions. */
    change: (requestId: `0x${string}`, status: RequestStatus, hashes = 0): RequestChange => {
      const request = requests.get(requestId)
      if (request === undefined) throw new Error(`No request ${requestId}`)
      const { stored, changes } = request
      const state: RequestState = {
        ...stored.state,
        status,
        seq: stored.state.seq + 1,
        inTxHashes: Array.from({ length: hashes }, (_, at) => idOf(at)),
      }
      const change = { requestId, state }
      changes.push(change)
      requests.set(requestId, {
        stored: { ...stored, state, version: stored.version + 1 },
        changes,
      })
      return change
    },
    find: async (requestId: string) => requests.get(requestId)?.stored,
    findAll: async (requestIds: readonly string[]) =>
      requestIds.flatMap((requestId) => requests.get(requestId)?.stored ?? []),
    findByOrders: async (): Promise<readonly StoredRequest[]> => [],
    changesAfter: async (requestId: string, seq: number) =>
      (requests.get(requestId)?.changes ?? []).filter(({ state }) => state.seq > seq),
    seqsOf: async (requestIds: readonly string[]) =>
      new Map(
        requestIds.flatMap((requestId): [string, number][] => {
          const request = requests.get(requestId)
          return request === undefined ? [] : [[requestId, request.stored.state.seq]]
        }),
      ),
  }
}

export type StoreModel = ReturnType<typeof createStoreModel>
