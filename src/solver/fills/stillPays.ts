import { AppError } from '#src/core/errors.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import { lastSecondOf } from '#src/protocol/permits/permit.ts'
import { isMined } from '#src/requests/state/deposit.ts'
import { isSolverRequest, type SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { type Fees, marketFees } from '#src/solver/sending/fees.ts'
import type { SolverChain, SolverConfig, SolverDeps } from '#src/solver/solverDeps.ts'
import { originChainIdsOf } from './fillCandidates.ts'
import { createFillPlans } from './fillPlans.ts'
import { revertedFillOf } from './revertedFill.ts'

/**
 * Whether a pending transaction is still worth sending with these fees:
 * - Fill: if it would be planned again on the current market.
 * - Refund and sweep: up to four times `maxFeePerGas` of the first attempt, because the deposit pays for that attempt.
 * - Settlement: up to four times the market's `maxFeePerGas`, because it pays the solver.
 * - Permit: up to four times `maxFeePerGas` of the first attempt, until the signature expires.
 * - Approval and cancellation: always.
 */
export type StillPays = (
  transaction: SolverTransaction,
  fees: Fees,
  view: ChainView,
) => Promise<boolean>

const maxRaise = 4n

export function createStillPays(
  deps: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market' | 'now'>,
  solverChain: SolverChain,
  limits: SolverConfig['limits'],
): StillPays {
  const { client, store, market } = deps
  const { chain } = solverChain
  const plan = createFillPlans(deps, solverChain, limits)

  /** The market at the gas price that the transaction would pay; undefined while a chain has no current market. */
  function marketAt({ maxFeePerGas, maxPriorityFeePerGas }: Fees, request: SolverRequest) {
    const seen = snapshotOf([...new Set([...originChainIdsOf(request), chain.id])])
    const own = seen?.chains.get(chain.id)
    if (seen === undefined || own === undefined) return undefined
    const maxPriority = maxFeePerGas - own.gas.baseFeePerGas
    const priorityFeePerGas =
      maxPriority < maxPriorityFeePerGas ? maxPriority : maxPriorityFeePerGas
    const priced: ChainMarket = { ...own, gas: { ...own.gas, priorityFeePerGas } }
    return { ...seen, chains: new Map(seen.chains).set(chain.id, priced) }
  }

  function snapshotOf(chainIds: Parameters<typeof market.snapshot>[0]): Market | undefined {
    try {
      return market.snapshot(chainIds)
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  async function fillPays(
    transaction: SolverTransaction,
    fees: Fees,
    view: ChainView,
  ): Promise<boolean> {
    const { requestId, depositIds } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request === undefined || !isSolverRequest(request)) return false
    const deposits = await store.findDeposits(depositIds)
    if (!deposits.every(isMined)) return false
    const snapshot = marketAt(fees, request)
    if (snapshot === undefined) return false
    const others = await store.transactionsOf(request.requestId)
    const reverted = await revertedFillOf(client, request, others.filter(isFill))
    const authorizations = request.fill.authorizationList
    const candidate = { request, deposits, tries: 0, reverted, authorizations }
    const [planned] = await plan([candidate], {
      view,
      snapshot,
      inventory: unlimitedInventory,
      pendingLegs: [],
      simulatedGas: new Map(),
    })
    return planned?.plan.kind === 'fill'
  }

  /** Whether the permit can still have an effect, and its fee is within the limit. */
  async function permitPays({ requestId, attempts }: SolverTransaction, { maxFeePerGas }: Fees) {
    const request = requestId === undefined ? undefined : await store.find(requestId)
    const [first] = attempts
    if (request?.state.status !== 'depositing' || first === undefined) return false
    const permit = request.steps.at(-1)?.signature?.permit
    if (permit === undefined || lastSecondOf(permit) * 1000 < deps.now()) return false
    return maxFeePerGas <= maxRaise * first.maxFeePerGas
  }

  return async (transaction, fees, view) => {
    switch (transaction.purpose) {
      case 'fill':
        return fillPays(transaction, fees, view)
      case 'refund': {
        const [first] = transaction.attempts
        return first !== undefined && fees.maxFeePerGas <= maxRaise * first.maxFeePerGas
      }
      case 'settlement': {
        const gas = market.latest(chain.id)?.gas
        return gas !== undefined && fees.maxFeePerGas <= maxRaise * marketFees(gas).maxFeePerGas
      }
      case 'permit':
        return permitPays(transaction, fees)
      case 'approval':
      case 'cancellation':
        return true
      // Only the relayer sends these.
      case 'relayedCall':
        return false
      case 'sweep': {
        const [first] = transaction.attempts
        return first !== undefined && fees.maxFeePerGas <= maxRaise * first.maxFeePerGas
      }
    }
  }
}

const isFill = ({ purpose }: SolverTransaction) => purpose === 'fill'

/** The transaction has already reserved the amounts that it spends. */
const unlimitedInventory = {
  held: () => 2n ** 255n,
  free: () => 2n ** 255n,
  reserve: () => undefined,
}
