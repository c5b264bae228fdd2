import { AppError } from '#src/errors.ts'
import { lastSecondOf } from '#src/execution/permits/permit.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
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
 * Whether a transaction that waits is still worth sending with these fees. A fill is: if it would be planned again at
 * the market of the moment. A refund is: up to four times the fee of its first attempt, as the deposit paid for that one. A
 * settlement is: up to four times the market's fee, as it brings the solver its own money. A user's signed payment is: up
 * to four times the fee of its first attempt, until the signature ends.
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

  /** The market with the gas price that the transaction would pay; undefined while a chain has no current market. */
  function marketAt({ maxFeePerGas, maxPriorityFeePerGas }: Fees, request: SolverRequest) {
    const seen = snapshotOf([...new Set([...originChainIdsOf(request), chain.id])])
    const own = seen?.chains.get(chain.id)
    if (seen === undefined || own === undefined) return undefined
    const room = maxFeePerGas - own.gas.baseFeePerGas
    const priorityFeePerGas = room < maxPriorityFeePerGas ? room : maxPriorityFeePerGas
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
      inventory: plenty,
      pendingLegs: [],
      simulatedGas: new Map(),
    })
    return planned?.plan.kind === 'fill'
  }

  /** What the signature's transaction may cost, and whether it can still have an effect. */
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
      // The solver sends none.
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

/** The transaction has reserved what it spends. */
const plenty = {
  held: () => 2n ** 255n,
  free: () => 2n ** 255n,
  reserve: () => undefined,
}
