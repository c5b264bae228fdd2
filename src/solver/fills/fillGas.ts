import { type TransactionSize, transactionCost } from '#src/core/pricing/gas/gas.ts'
import { fillTransaction, type LegShape, topupSize } from '#src/core/pricing/gas/transactionSize.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { FillCalls, Tx } from '#src/core/pricing/order.ts'
import type { Amount } from '#src/core/units/amount.ts'
import { decodeOrderCall } from '#src/protocol/order/protocolOrder.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'

/** The terms that determine the gas of a fill, besides its leg. */
type GasCase = FillGas & Readonly<{ request: Pick<SolverRequest, 'order' | 'fill'> }>

export type FillGas = Readonly<{
  /** Gas of an earlier simulation. It is charged if it exceeds the estimate. */
  simulatedGas?: bigint | undefined
  /** Cost of the reverted first fill, in wei. Set only for a second fill, which pays without the order's calls. */
  revertedWei?: Amount | undefined
  /** The authorizations of the order that the fill still has to apply; absent: none. */
  authorizationList?: FillCalls['authorizationList'] | undefined
}>

/** Sizes of the fill and of the payment of its top-up, as the quote estimates them. */
export const quotedSizes = (gasCase: GasCase, shape: LegShape): readonly TransactionSize[] => [
  fillTransaction(shape, callsOf(gasCase)),
  ...(gasCase.request.order.output.payments.length > 1 ? [topupSize] : []),
]

/** The quoted sizes, with the gas of an earlier simulation if it is higher. */
export function chargedSizes(gasCase: GasCase, shape: LegShape): readonly TransactionSize[] {
  const [fill, ...others] = quotedSizes(gasCase, shape)
  if (fill === undefined) return others
  const excess = (gasCase.simulatedGas ?? 0n) - gasOf([fill, ...others])
  return [{ ...fill, gas: fill.gas + (excess > 0n ? excess : 0n) }, ...others]
}

export const gasOf = (sizes: readonly TransactionSize[]): bigint =>
  sizes.reduce((sum, { gas }) => sum + gas, 0n)

/** Cost of the charged gas in wei, rounded up. */
export const gasCostOf = (gasCase: GasCase, market: ChainMarket, shape: LegShape): bigint =>
  chargedSizes(gasCase, shape).reduce((sum, size) => sum + transactionCost(market.gas, size), 0n)

/** A second fill makes no calls, and applies no authorizations: the reverted first fill has already applied them. */
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

/** Limit on the gas of a fill. `plus` covers our contracts if the quote includes no gas for them. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** Maximum gas limit of a fill. The recipient and the targets of the order's calls may be any contract. */
export const maxGasOf = (quoted: bigint): bigint => gasTolerance.times * quoted + gasTolerance.plus

/** Nodes estimate a gas limit. For a swap over several pools it is up to 40 % above the quote's estimate. */
const estimateTolerance = { numerator: 3n, denominator: 2n }

/** Whether the simulation of a fill uses more gas than its plan charges. */
export const usesMoreGas = (simulated: bigint, charged: bigint): boolean =>
  simulated * estimateTolerance.denominator > charged * estimateTolerance.numerator
