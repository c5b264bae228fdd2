import { AppError } from '#src/core/errors.ts'
import { once } from '#src/core/once.ts'
import type { SvmReads } from '#src/market/svm/svmReads.ts'
import type { SvmItem } from '#src/protocol/step.ts'
import type { SvmTransactionData } from '#src/protocol/svm/transactionData.ts'
import type { QuotedSvmItem } from '#src/service/quotedSteps.ts'

/** Adds the compute units that the transaction needs. They are simulated on the first call only. */
export function withComputeUnits(
  reads: Pick<SvmReads, 'computeUnits'>,
  { data, ...item }: SvmItem,
): QuotedSvmItem {
  const simulated = once(() => simulate(reads, data))
  const instructions = data.instructions.map((each) => ({ ...each, data: each.data.slice(2) }))
  return {
    ...item,
    ...data,
    instructions,
    gas: async () => {
      const outcome = await simulated()
      return typeof outcome === 'bigint' ? withMargin(outcome) : undefined
    },
    gasReason: async () => {
      const outcome = await simulated()
      return typeof outcome === 'bigint' ? 'UNKNOWN' : outcome
    },
  }
}

/** A limit for a transaction that used so many units. Bumps and balances change between simulation and landing. */
export const withMargin = (units: bigint): bigint => units + units / 5n

async function simulate(
  { computeUnits }: Pick<SvmReads, 'computeUnits'>,
  data: SvmTransactionData,
): Promise<bigint | 'WOULD_REVERT' | 'UNKNOWN'> {
  try {
    return (await computeUnits(data.chainId, data)) ?? 'WOULD_REVERT'
  } catch (error) {
    if (error instanceof AppError) return 'UNKNOWN'
    throw error
  }
}
