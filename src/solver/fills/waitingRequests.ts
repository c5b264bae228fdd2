import { AppError } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Page } from '#src/requests/requestList.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import {
  deadlineOf,
  isSolverRequest,
  type SolverRequest,
} from '#src/requests/state/solverRequest.ts'
import type { OwnChain, Runtime, SolverMarket } from '#src/solver/ports.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'
import { originChainIdsOf } from './fillCandidates.ts'

/** Requests per round. Later rounds read the next pages. */
const maxComplete = 256
/**
 * Requests per round that are incomplete or await liquidity. They have pages of their own: anybody can pay one wei for
 * any number of quotes, and such requests must not delay complete ones.
 */
const maxIncomplete = 16

/**
 * A request waits at most this long for the pools of its currency, and is then planned without them. The issuer of a
 * currency can make its pools unreadable for ever.
 */
const maxPoolWaitMs = 600_000
/** The wait is forgotten after this time. The request may then wait again. */
const forgetWaitMs = 3_600_000

/** Reads one page per call and starts again after the last page, so that every row gets its turn. */
function createPageRotation(limit: number) {
  let after: string | undefined
  return async (read: (page: Page) => Promise<readonly StoredRequest[]>) => {
    const found = await read({ ...(after !== undefined && { after }), limit })
    const first = after
    after = found.length < limit ? undefined : found.at(-1)?.requestId
    // Fills up a short last page from the first page.
    if (first === undefined || after !== undefined) return found
    const more = await read({ limit: limit - found.length })
    const known = new Set(found.map(({ requestId }) => requestId))
    after = more.at(-1)?.requestId
    return [...found, ...more.filter(({ requestId }) => !known.has(requestId))]
  }
}

type Ports = Runtime &
  Readonly<{
    store: RequestStore
    market: SolverMarket
    verifiedChains: VerifiedChains
  }>

/** The requests that wait for a fill. */
type Waiting = Readonly<{
  /** They may be filled now. */
  fillable: readonly SolverRequest[]
  /** Their origin chains do not answer, or their pools are not read, and their deadlines have passed. */
  overdue: readonly SolverRequest[]
}>

/** Reads the requests that wait on a chain, in turns. */
export function createWaitingRequests(
  { store, log, market, verifiedChains, now }: Ports,
  { chain }: OwnChain,
): () => Promise<Waiting> {
  /** Time at which each request was first found waiting for pools, oldest first. */
  const poolWaits = new Map<string, number>()
  const pages = {
    complete: createPageRotation(maxComplete),
    incomplete: createPageRotation(maxIncomplete),
  }

  /** A chain that does not answer delays only the requests with deposits on it. */
  async function isOriginVerified(originChainId: ChainId): Promise<boolean> {
    try {
      return await verifiedChains.isVerified(originChainId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.debug({ originChainId, code: error.code }, 'Requests wait for their origin chain')
      return false
    }
  }

  /** Fillable requests have verified origin chains with a current market, and pools that are read. */
  async function split(requests: readonly SolverRequest[]): Promise<Waiting> {
    const verified = new Map<ChainId, boolean>()
    for (const originChainId of requests.flatMap(originChainIdsOf))
      if (!verified.has(originChainId))
        verified.set(originChainId, await isOriginVerified(originChainId))
    const isFillable = (request: SolverRequest) => {
      const originChainIds = originChainIdsOf(request)
      if (!originChainIds.every((each) => verified.get(each))) return false
      return hasMarkets(request, originChainIds)
    }
    const fillable = requests.filter(isFillable)
    const isOverdue = (request: SolverRequest) =>
      !fillable.includes(request) && deadlineOf(request) * 1000 < now()
    return { fillable, overdue: requests.filter(isOverdue) }
  }

  /** The market may have dropped the pools of a rarely used currency since the quote. `ask` has them read again. */
  function hasPools({ requestId, destinationCurrency }: SolverRequest): boolean {
    if (market.ask({ chainId: chain.id, address: destinationCurrency }) === undefined) return true
    const since = poolWaits.get(requestId) ?? now()
    poolWaits.set(requestId, since)
    if (since + maxPoolWaitMs <= now()) return true
    log.debug(
      { requestId, currency: destinationCurrency },
      'A request waits for the pools of its currency',
    )
    return false
  }

  function hasMarkets(request: SolverRequest, originChainIds: readonly ChainId[]): boolean {
    try {
      market.snapshot(originChainIds)
      return hasPools(request)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { requestId } = request
      log.debug(
        { requestId, originChainIds, code: error.code },
        'A request waits for the market of its origin chains',
      )
      return false
    }
  }

  return async () => {
    for (const [requestId, since] of poolWaits) {
      if (since + forgetWaitMs > now()) break
      poolWaits.delete(requestId)
    }
    const complete = await pages.complete((page) => store.fillable(chain.id, false, page))
    const incomplete = await pages.incomplete((page) => store.fillable(chain.id, true, page))
    return split([...complete, ...incomplete].filter(isSolverRequest))
  }
}
