import { AppError } from '#src/errors.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import { currentAttempt } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A request without a pending fill. */
export type Candidate = Readonly<{
  request: SolverRequest
  /** All deposits that fund it. */
  deposits: readonly Deposit[]
  /** Number of its fills that reverted. */
  reverts: number
}>

/** Reads the requests that may be filled on a chain now. */
export function createFillCandidates(
  {
    store,
    log,
    market,
    verifiedChains,
    now,
  }: Pick<SolverDeps, 'store' | 'log' | 'market' | 'verifiedChains' | 'now'>,
  { chain }: SolverChain,
): Readonly<{
  waiting: () => Promise<readonly SolverRequest[]>
  candidatesOf: (requests: readonly SolverRequest[]) => Promise<readonly Candidate[]>
}> {
  async function candidateOf(
    request: SolverRequest,
    known: ReadonlyMap<string, Deposit>,
  ): Promise<Candidate | undefined> {
    const deposits = creditedOf(request, known)
    if (deposits === undefined) return undefined
    const transactions = await store.transactionsOf(request.requestId)
    const fills = transactions.filter(({ purpose }) => purpose === 'fill')
    const underWay = fills.find(({ status }) => status !== 'reverted')
    if (underWay === undefined)
      // A reorg may have undone a deposit meanwhile: the request waits until a block includes it again.
      return deposits.every(({ block }) => block !== undefined)
        ? { request, deposits, reverts: fills.length }
        : undefined
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

  /** The requests whose origin chains are verified and have a current market. */
  async function fillable(requests: readonly SolverRequest[]): Promise<readonly SolverRequest[]> {
    const verified = new Map<ChainId, boolean>()
    for (const originChainId of requests.flatMap(originChainIdsOf))
      if (!verified.has(originChainId))
        verified.set(originChainId, await isOriginVerified(originChainId))
    return requests.filter((request) => {
      const originChainIds = originChainIdsOf(request)
      if (!originChainIds.every((each) => verified.get(each))) return false
      try {
        market.snapshot(originChainIds)
        return true
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { requestId } = request
        log.debug(
          { requestId, originChainIds, code: error.code },
          'A request waits for the market of its origin chains',
        )
        return false
      }
    })
  }

  return {
    waiting: async () => fillable((await store.fillable(chain.id)).filter(isSolverRequest)),
    async candidatesOf(requests) {
      const found = await store.findDeposits(requests.flatMap(fundingDepositIds))
      const known = new Map(found.map((each) => [each.depositId, each]))
      const candidates = await Promise.all(requests.map((each) => candidateOf(each, known)))
      return candidates.filter((each) => each !== undefined)
    },
  }
}

/** The chains of all inputs, with those of missed inputs: a block of their chain proved the miss. */
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
