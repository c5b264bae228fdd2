import { AppError } from '#src/errors.ts'
import { advance } from '#src/requests/advance.ts'
import type { Deposit } from '#src/requests/deposit.ts'
import { fundingDepositIds } from '#src/requests/funding.ts'
import { sightingOf } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { isSolverRequest, type SolverRequest } from '#src/solver/solverRequest.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** A request that no transaction pays. */
export type Candidate = Readonly<{
  request: SolverRequest
  /** What it counts on. */
  deposit: Deposit
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
    deposits: ReadonlyMap<string, Deposit>,
  ): Promise<Candidate | undefined> {
    const deposit = deposits.get(fundingDepositIds(request)[0] ?? '')
    if (deposit?.status !== 'credited') return undefined
    const transactions = await store.transactionsOf(request.requestId)
    const fills = transactions.filter(({ purpose }) => purpose === 'fill')
    const underWay = fills.find(({ status }) => status !== 'reverted')
    if (underWay === undefined) return { request, deposit, tries: fills.length }
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

  /** Those whose deposit came from a chain that the store and the market know as it is now. */
  async function judgeable(requests: readonly SolverRequest[]): Promise<readonly SolverRequest[]> {
    const known = new Map<ChainId, boolean>()
    for (const { originChainId } of requests)
      if (!known.has(originChainId)) known.set(originChainId, await isKnown(originChainId))
    return requests.filter(({ requestId, originChainId }) => {
      if (known.get(originChainId) !== true) return false
      try {
        market.snapshot([originChainId])
        return true
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        log.debug({ requestId, originChainId, code: error.code }, 'A request waits for its market')
        return false
      }
    })
  }

  return {
    waiting: async () => judgeable((await store.fillable(chain.id)).filter(isSolverRequest)),
    async candidatesOf(requests) {
      const found = await store.findDeposits(requests.flatMap(fundingDepositIds))
      const deposits = new Map(found.map((each) => [each.depositId, each]))
      const candidates = await Promise.all(requests.map((each) => candidateOf(each, deposits)))
      return candidates.filter((each) => each !== undefined)
    },
  }
}
