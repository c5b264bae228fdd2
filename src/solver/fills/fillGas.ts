import { decodeOrderCall } from '#src/execution/order/protocolOrder.ts'
import { type TransactionSize, transactionCost } from '#src/pricing/gas/gas.ts'
import { fillTransaction, type LegShape, topupSize } from '#src/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { FillCalls, Tx } from '#src/pricing/order.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Amount } from '#src/units/amount.ts'

/** What the gas of a fill depends on, beside its leg. */
type GasCase = FillGas & Readonly<{ request: Pick<SolverRequest, 'order' | 'fill'> }>

export type FillGas = Readonly<{
  /** Gas of an earlier simulation, which is charged if it exceeds the estimate. */
  simulatedGas?: bigint | undefined
  /** Set for a second fill, which pays without the order's calls: what the first one has cost, in wei. */
  revertedWei?: Amount | undefined
  /** The authorizations of the order that the fill still has to apply; absent: none. */
  authorizationList?: FillCalls['authorizationList'] | undefined
}>

/** The fill and the payment of its top-up, as the quote estimates them. */
export const quotedSizes = (gasCase: GasCase, shape: LegShape): readonly TransactionSize[] => [
  fillTransaction(shape, callsOf(gasCase)),
  ...(gasCase.request.order.output.payments.length > 1 ? [topupSize] : []),
]

/** The quoted sizes, with the gas of an earlier simulation if that is more. */
export function chargedSizes(gasCase: GasCase, shape: LegShape): readonly TransactionSize[] {
  const [fill, ...others] = quotedSizes(gasCase, shape)
  if (fill === undefined) return others
  const excess = (gasCase.simulatedGas ?? 0n) - gasOf([fill, ...others])
  return [{ ...fill, gas: fill.gas + (excess > 0n ? excess : 0n) }, ...others]
}

export const gasOf = (sizes: readonly TransactionSize[]): bigint =>
  sizes.reduce((sum, { gas }) => sum + gas, 0n)

export const gasCostOf = (gasCase: GasCase, market: ChainMarket, shape: LegShape): bigint =>
  chargedSizes(gasCase, shape).reduce((sum, size) => sum + transactionCost(market.gas, size), 0n)

/** A second fill makes no calls and applies no authorizations: a revert undoes none of those. */
export const callsOf = ({
  request: { order, fill },
  revertedWei,
  authorizationList,
}: GasCase): FillCalls =>
  revertedWei === undefined
    ? {
        txs: order.output.calls.map((call): Tx => decodeOrderCall(call)),
        ...(fill.txsGasLimit !== undefined && { txsGasLimit: fill.txsGasLimit }),
        ...(authorizationList !== undefined && { authorizationList }),
      }
    : { txs: [] }

/** How far a fill may exceed the quoted gas. The constant covers our contracts where the quote has no gas for them. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** The gas limit that a fill never exceeds: the recipient and the targets of the order's calls may be any contract. */
export const maxGasOf = (quoted: bigint): bigint => gasTolerance.times * quoted + gasTolerance.plus

/** Nodes estimate a gas limit, which for a swap over several pools is up to 40 % above the gas that a quote estimates. */
const estimateTolerance = { numerator: 3n, denominator: 2n }

/** Whether the simulation of a fill uses more gas than its plan charges. */
export const usesMoreGas = (simulated: bigint, charged: bigint): boolean =>
  simulated * estimateTolerance.denominator > charged * estimateTolerance.numerator
