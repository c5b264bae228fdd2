import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { evmGas } from '#src/core/pricing/gas/gas.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { lastSecondOf } from '#src/protocol/permit.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isMined } from '#src/requests/state/deposit.ts'
import { isSolverRequest } from '#src/requests/state/solverRequest.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { currentMarket } from '#src/solver/chainView.ts'
import { originChainIdsOf, revertedFillOf } from '#src/solver/fills/fillCandidates.ts'
import { createFillPlans } from '#src/solver/fills/fillPlans.ts'
import type { Runtime, SolverChain, SolverLimits, SolverMarket } from '#src/solver/ports.ts'
import { type Fees, marketFees } from '#src/solver/sending/estimateGas.ts'

/**
 * Whether a pending transaction is still worth sending with these fees:
 * - Fill: if it would be planned again on the current market.
 * - Refund and sweep: up to four times `maxFeePerGas` of the first attempt, because the deposit pays for that attempt.
 * - Settlement: up to four times the market's `maxFeePerGas`, because it pays the solver.
 * - Permit: up to four times `maxFeePerGas` of the first attempt, until the signature expires.
 * - Approval and cancellation: always.
 */
export type StillPays = (transaction: SolverTransaction, fees: Fees) => Promise<boolean>

const maxRaise = 4n

type Ports = Runtime & Readonly<{ client: ChainClient; store: RequestStore; market: SolverMarket }>

export function createStillPays(
  ports: Ports,
  solverChain: SolverChain,
  limits: SolverLimits,
): StillPays {
  const { client, store, market, now } = ports
  const { id: chainId } = solverChain.chain
  const plan = createFillPlans(ports, solverChain, limits)

  async function fillPays(transaction: SolverTransaction, fees: Fees): Promise<boolean> {
    const { requestId, depositIds } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request === undefined || !isSolverRequest(request)) return false
    const deposits = await store.findDeposits(depositIds)
    if (!deposits.every(isMined)) return false
    const current = currentMarket(market, [...new Set([...originChainIdsOf(request), chainId])])
    const snapshot = current && atFees(current, chainId, fees)
    if (snapshot === undefined) return false
    const others = await store.transactionsOf(request.requestId)
    const reverted = await revertedFillOf(client, request, others.filter(isFill))
    const authorizations = request.fill.authorizationList
    const candidate = { request, deposits, tries: 0, reverted, authorizations }
    const [planned] = await plan([candidate], {
      snapshot,
      inventory: unlimitedInventory,
      pendingLegs: [],
      simulatedGas: new Map(),
    })
    return planned?.plan.kind === 'fill'
  }

  /** Whether the permit can still have an effect, and its fee is within the limit. */
  async function permitPays(transaction: SolverTransaction, fees: Fees): Promise<boolean> {
    const { requestId } = transaction
    const request = requestId === undefined ? undefined : await store.find(requestId)
    if (request?.state.status !== 'depositing') return false
    const permit = request.steps.at(-1)?.signature?.permit
    if (permit === undefined || lastSecondOf(permit) * 1000 < now()) return false
    return isWithinRaise(transaction, fees)
  }

  return async (transaction, fees) => {
    switch (transaction.purpose) {
      case 'fill':
        return fillPays(transaction, fees)
      case 'refund':
      case 'sweep':
        return isWithinRaise(transaction, fees)
      case 'settlement': {
        const gas = market.latest(chainId)?.gas
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
    }
  }
}

const isWithinRaise = ({ attempts: [first] }: SolverTransaction, { maxFeePerGas }: Fees): boolean =>
  first !== undefined && maxFeePerGas <= maxRaise * first.maxFeePerGas

/** The market at the gas price that a transaction with these fees would pay; undefined without the chain. */
function atFees(
  market: Market,
  chainId: ChainId,
  { maxFeePerGas, maxPriorityFeePerGas }: Fees,
): Market | undefined {
  const own = market.chains.get(chainId)
  if (own === undefined) return undefined
  const gas = evmGas(own.gas)
  const maxPriority = maxFeePerGas - gas.baseFeePerGas
  const priorityFeePerGas = maxPriority < maxPriorityFeePerGas ? maxPriority : maxPriorityFeePerGas
  const priced: ChainMarket = { ...own, gas: { ...gas, priorityFeePerGas } }
  return { ...market, chains: new Map(market.chains).set(chainId, priced) }
}

const isFill = ({ purpose }: SolverTransaction) => purpose === 'fill'

/** The transaction has already reserved the amounts that it spends. */
const unlimitedInventory = {
  held: () => 2n ** 255n,
  free: () => 2n ** 255n,
  reserve: () => undefined,
}
