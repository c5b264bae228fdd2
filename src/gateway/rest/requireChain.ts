import type { ChainSummary } from '#src/service/chainSummary.ts'
import { UnsupportedChainError } from '#src/service/input/fieldError.ts'
import type { Operations } from '#src/service/operations.ts'

/** The chain that the parameter `chainId` names. @throws AppError UNSUPPORTED_CHAIN */
export function requireChain(operations: Operations, chainId: number): ChainSummary {
  const chain = operations.chain(chainId)
  if (chain === undefined)
    throw new UnsupportedChainError(['chainId'], chainId, operations.chains())
  return chain
}
