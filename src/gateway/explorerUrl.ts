import type { PaidAmount } from '#src/service/paidAmounts.ts'
import type { Service } from '#src/service/service.ts'

/** Page of the transaction in the block explorer of its chain; undefined without one. */
export function explorerUrlOf(
  { chainId, txHash }: Pick<PaidAmount, 'chainId' | 'txHash'>,
  operations: Pick<Service, 'chain'>,
): string | undefined {
  const base = txHash && operations.chain(chainId)?.explorerUrl
  return base && `${base.replace(/\/$/, '')}/tx/${txHash}`
}
