import { AppError } from '#src/core/errors.ts'
import { once } from '#src/core/once.ts'
import { gasLimitFor } from '#src/core/pricing/gas/gas.ts'
import type {
  TransactionPreviews,
  TransactionTrials,
} from '#src/market/reads/transactionSimulator.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import { isMulti, type QuotedPrice } from '#src/protocol/order/quotedPrice.ts'
import type { Step, StepContext, StepItem } from '#src/protocol/step.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import { type GasReason, type QuotedStep, signatureRequestOf } from '#src/service/quotedSteps.ts'
import { withComputeUnits } from '#src/service/svm/computeUnits.ts'

type Data = StepItem['data']

type Simulator = TransactionPreviews & Pick<TransactionTrials, 'wouldRevert'>

type Deps = Readonly<{
  simulator: Simulator
  svm: Pick<SvmReads, 'computeUnits'>
}>

/** More gas than an approval uses in any usual ERC-20, even behind a proxy. */
const approvalGas = 100_000n

/**
 * Minimum gas limits of the items of a quote: a constant for approvals, and the price's estimate plus half for the main
 * transaction. `undefined` if the caller asks for none.
 */
export function leastGasOf(
  price: QuotedPrice,
  {
    gasLimitForDepositSpecifiedTxs,
    includeComputeUnitLimit,
  }: Pick<SwapInput, 'gasLimitForDepositSpecifiedTxs' | 'includeComputeUnitLimit'>,
): StepContext['leastGas'] {
  if (isMulti(price)) return undefined
  const isAsked = includeComputeUnitLimit === true || gasLimitForDepositSpecifiedTxs != null
  return isAsked ? { approval: approvalGas, main: withMargin(price.transactionGas) } : undefined
}

/** Adds the gas limits. Each is simulated on its first call only. */
export function withGas({ simulator, svm }: Deps, steps: readonly Step[]): readonly QuotedStep[] {
  /** The transactions that the next item of the account depends on. */
  let earlier: readonly Data[] = []
  return steps.map(({ signature: _, svmItem, ...step }, at) => {
    const signature = signatureRequestOf(steps[at] as Step)
    const items = step.items.map((item) => {
      const { isFirst, leastGas, ...data } = item.data
      const before = isFirst ? [] : earlier
      earlier = [...before, item.data]
      const gas = once(() => gasLimitOf(simulator, before, item.data))
      const gasReason = once(() => reasonWithoutGas(simulator, item.data))
      return { ...item, data: { ...data, gas, gasReason } }
    })
    return {
      ...step,
      items,
      ...(signature !== undefined && { signature }),
      ...(svmItem !== undefined && { svmItem: withComputeUnits(svm, svmItem) }),
    }
  })
}

/** `undefined` if the transaction cannot be simulated and has no `leastGas`. */
async function gasLimitOf(
  simulator: Simulator,
  before: readonly Data[],
  data: Data,
): Promise<bigint | undefined> {
  const { isFirst, leastGas } = data
  if (isFirst) return greater(await simulator.estimateGas(data), leastGas)
  if (leastGas === undefined) return undefined
  return greater(await gasAfter(simulator, before, data), leastGas)
}

async function reasonWithoutGas(simulator: Simulator, data: Data): Promise<GasReason> {
  if (!data.isFirst) return 'EARLIER_TRANSACTION'
  try {
    return (await simulator.wouldRevert(data)) ? 'WOULD_REVERT' : 'UNKNOWN'
  } catch (error) {
    if (error instanceof AppError) return 'UNKNOWN'
    throw error
  }
}

const greater = (one: bigint | undefined, other: bigint | undefined): bigint | undefined =>
  one === undefined || (other !== undefined && other > one) ? other : one

/**
 * Adds half. A simulation reports gas after refunds of up to a fifth (EIP-3529), a call forwards only 63/64 of its gas,
 * and trades in between may cost more.
 */
const withMargin = (gas: bigint): bigint => gasLimitFor(gas, 50n)

/** A gas limit by a simulation after the earlier transactions; `undefined` if that fails or no node simulates. */
async function gasAfter(
  simulator: Simulator,
  before: readonly Data[],
  data: Data,
): Promise<bigint | undefined> {
  try {
    const outcomes = await simulator.simulate(data.chainId, [...before, data])
    const last = outcomes?.length === before.length + 1 ? outcomes.at(-1) : undefined
    return last?.succeeds === true ? withMargin(last.gas) : undefined
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
