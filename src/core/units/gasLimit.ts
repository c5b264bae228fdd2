/** Maximum gas limit of a transaction (EIP-7825). Nodes refuse a higher limit. */
export const maxTransactionGas = 2n ** 24n

/**
 * Gas limit: `gas` plus `marginPercent` percent of it, rounded down. The margin does not raise the limit above
 * `maxTransactionGas`.
 */
export function gasLimitFor(gas: bigint, marginPercent: bigint): bigint {
  const wanted = gas + (gas * marginPercent) / 100n
  const max = gas > maxTransactionGas ? gas : maxTransactionGas
  return wanted < max ? wanted : max
}
