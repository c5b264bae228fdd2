import { AppError } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { FillTerms } from '#src/requests/quotedRequest.ts'
import type { Batch, Page } from '#src/requests/requestStore.ts'
import { advance } from '#src/requests/state/advance.ts'
import { type Deposit, isMined, type MinedDeposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds, type StoredRequest } from '#src/requests/state/requestState.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import { withParents } from '#src/solver/payouts/filledDeposits.ts'
import type { PaidRequest } from '#src/solver/payouts/settlementPayouts.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { type RevertedFill, revertedFillOf } from './revertedFill.ts'

/** A request without a pending fill. */
export type Candidate = Readonly<{
  request: SolverRequest
  /** The request of the open deposit address that it pays. */
  parent?: SolverRequest | undefined
  /** All deposits that fund it. */
  deposits: readonly MinedDeposit[]
  /** Saved with the fill: the deposits that are not final yet, and the exposure limits of their chains. */
  exposed?: Pick<Batch, 'deposits' | 'exposureLimits'>
  /** Number of its fills that were signed and had no effect. */
  tries: number
  /** Set once a fill of the request reverted in a final block. */
  reverted: RevertedFill | undefined
  /** Authorizations that the fill must apply; `stale` if the chain would skip one. Absent: none, or not yet read. */
  authorizations?: FillTerms['authorizationList'] | 'stale' | undefined
}>

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

/** Reads the requests that may be filled on a chain now. */
export function createFillCandidates(
  {
    client,
    store,
    log,
    market,
    verifiedChains,
    now,
  }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market' | 'verifiedChains' | 'now'>,
  { chain }: SolverChain,
): Readonly<{
  waiting: () => Promise<readonly SolverRequest[]>
  candidatesOf: (requests: readonly SolverRequest[]) => Promise<readonly Candidate[]>
}> {
  /** Time at which each request was first found waiting for pools, oldest first. */
  const poolWaits = new Map<string, number>()
  const pages = {
    complete: createPageRotation(maxComplete),
    incomplete: createPageRotation(maxIncomplete),
  }

  async function candidateOf(
    { request, parent }: PaidRequest,
    known: ReadonlyMap<string, Deposit>,
  ): Promise<Candidate | undefined> {
    const deposits = creditedOf(request, known)
    if (deposits === undefined) return undefined
    const transactions = await store.transactionsOf(request.requestId)
    const fills = transactions.filter(({ purpose }) => purpose === 'fill')
    const underWay = fills.find(({ status }) => status !== 'reverted')
    if (underWay === undefined) {
      // A reorg may have undone a deposit meanwhile: the request waits until a block includes it again.
      if (!deposits.every(isMined)) return undefined
      const reverted = await revertedFillOf(client, request, fills)
      return { request, parent, deposits, tries: fills.length, reverted }
    }
    // A reorg has undone the fill: the same transaction is sent again, and no second one is created.
    if (underWay.status === 'sent') {
      const event = { type: 'fillSent', transaction: currentAttempt(underWay) } as const
      const state = advance(request, event, now())
      if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
    }
    return undefined
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

  /** The requests whose origin chains are verified and have a current market, and whose pools are read. */
  async function fillable(requests: readonly SolverRequest[]): Promise<readonly SolverRequest[]> {
    const verified = new Map<ChainId, boolean>()
    for (const originChainId of requests.flatMap(originChainIdsOf))
      if (!verified.has(originChainId))
        verified.set(originChainId, await isOriginVerified(originChainId))
    return requests.filter((request) => {
      const originChainIds = originChainIdsOf(request)
      if (!originChainIds.every((each) => verified.get(each))) return false
      return hasMarkets(request, originChainIds)
    })
  }

  /** The market may have dropped the pools of a rarely used currency since the quote. `ask` has them read again. */
  function hasPools({ requestId, destinationCurrency: address }: SolverRequest): boolean {
    if (market.ask({ chainId: chain.id, address }) === undefined) return true
    const since = poolWaits.get(requestId) ?? now()
    poolWaits.set(requestId, since)
    if (since + maxPoolWaitMs <= now()) return true
    log.debug({ requestId, currency: address }, 'A request waits for the pools of its currency')
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

  return {
    async waiting() {
      for (const [requestId, since] of poolWaits) {
        if (since + forgetWaitMs > now()) break
        poolWaits.delete(requestId)
      }
      const complete = await pages.complete((page) => store.fillable(chain.id, false, page))
      const incomplete = await pages.incomplete((page) => store.fillable(chain.id, true, page))
      return fillable([...complete, ...incomplete].filter(isSolverRequest))
    },
    async candidatesOf(requests) {
      const found = await store.findDeposits(requests.flatMap(fundingDepositIds))
      const known = new Map(found.map((each) => [each.depositId, each]))
      const paid = await withParents(store, requests)
      const candidates = await Promise.all(paid.map((each) => candidateOf(each, known)))
      return candidates.filter((each) => each !== undefined)
    },
  }
}

/** The chains of all inputs, including missed ones: a block of their chain proved that they were missed. */
export const originChainIdsOf = ({ inputs }: Pick<SolverRequest, 'inputs'>): readonly ChainId[] => [
  ...new Set(inputs.map(({ chainId }) => chainId)),
]

/** The deposits of a request; undefined while an input is open or a deposit is not credited. */
function creditedOf(
  request: SolverRequest,
  known: ReadonlyMap<string, Deposit>,
): readonly Deposit[] | undefined {
  if (request.state.inputStates.some(({ status }) => status === 'open')) return undefined
  const depositIds = fundingDepositIds(request)
  const deposits = depositIds.flatMap((depositId) => known.get(depositId) ?? [])
  const isCredited = deposits.every(({ status }) => status === 'credited')
  return isCredited && deposits.length > 0 && deposits.length === depositIds.length
    ? deposits
    : undefined
}
