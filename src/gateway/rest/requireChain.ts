import type { ChainSummary } from '#src/operations/chainSummary.ts'
import { UnsupportedChainError } from '#src/operations/input/fieldError.ts'
import type { Operations } from '#src/operations/operations.ts'

/** The chain that the parameter `chainId` names. @throws AppError UNSUPPORTED_CHAIN */
export function requireChain(
  operations: Pick<Operations, 'chain' | 'chains'>,
  chainId: number,
): ChainSummary {
  const chain = operations.chain(chainId)
  if (chain === undefined)
    throw new UnsupportedChainError(['chainId'], chainId, operations.chains())
  return chain
}
