import { AppError } from '#src/errors.ts'
import { advance } from '#src/requests/state/advance.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import { fundingDepositIds } from '#src/requests/state/requestState.ts'
import { sightingOf } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { isSolverRequest, type SolverRequest } from '#src/solver/solverRequest.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A request that no transaction pays. */
export type Candidate = Readonly<{
  request: SolverRequest
  /** All that it counts on. */
  deposits: readonly Deposit[]
  /** Payments of it that reverted. */
  tries: number
}>

/** What may be filled on a chain now, a few at a time. */
export function createFillCandidates(
  {
    store,
    log,
    market,
    knownChains,
    now,
  }: Pick<SolverDeps, 'store' | 'log' | 'market' | 'knownChains' | 'now'>,
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
      // What a reorg has undone while it was being paid out is waited for.
      return deposits.every(({ block }) => block !== undefined)
        ? { request, deposits, tries: fills.length }
        : undefined
    // A reorg has undone it: it is sent again, never made again.
    if (underWay.status === 'sent') {
      const event = { type: 'fillSent', transaction: sightingOf(underWay) } as const
      const state = advance(request, event, now())
      if (state !== request.state) await store.save({ requests: [{ ...request, state }] })
    }
    return undefined
  }

  /** A chain that answers nothing now holds up what came from it alone. */
  async function isKnown(originChainId: ChainId): Promise<boolean> {
    try {
      return await knownChains.isKnown(originChainId)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.debug({ originChainId, code: error.code }, 'Requests wait for their origin chain')
      return false
    }
  }

  /** Those whose deposits came from chains that the store and the market know as they are now. */
  async function judgeable(requests: readonly SolverRequest[]): Promise<readonly SolverRequest[]> {
    const known = new Map<ChainId, boolean>()
    for (const originChainId of requests.flatMap(originsOf))
      if (!known.has(originChainId)) known.set(originChainId, await isKnown(originChainId))
    return requests.filter((request) => {
      const originChainIds = originsOf(request)
      if (!originChainIds.every((each) => known.get(each))) return false
      try {
        market.snapshot(originChainIds)
        return true
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        const { requestId } = request
        log.debug({ requestId, originChainIds, code: error.code }, 'A request waits for its market')
        return false
      }
    })
  }

  return {
    waiting: async () => judgeable((await store.fillable(chain.id)).filter(isSolverRequest)),
    async candidatesOf(requests) {
      const found = await store.findDeposits(requests.flatMap(fundingDepositIds))
      const known = new Map(found.map((each) => [each.depositId, each]))
      const candidates = await Promise.all(requests.map((each) => candidateOf(each, known)))
      return candidates.filter((each) => each !== undefined)
    },
  }
}

/** The chains of its inputs, missed ones among them: it is by their blocks that these were missed. */
export const originsOf = ({ inputs }: Pick<SolverRequest, 'inputs'>): readonly ChainId[] => [
  ...new Set(inputs.map(({ chainId }) => chainId)),
]

/** The deposits of a request of which every input is decided; undefined where one of them does not count. */
function creditedOf(
  request: SolverRequest,
  known: ReadonlyMap<string, Deposit>,
): readonly Deposit[] | undefined {
  if (request.state.fundings.some(({ status }) => status === 'open')) return undefined
  const depositIds = fundingDepositIds(request)
  const deposits = depositIds.flatMap((depositId) => known.get(depositId) ?? [])
  const isCredited = deposits.every(({ status }) => status === 'credited')
  return isCredited && deposits.length > 0 && deposits.length === depositIds.length
    ? deposits
    : undefined
}
