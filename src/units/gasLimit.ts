/** Most gas of a transaction (EIP-7825). Nodes refuse a higher limit. */
export const maxTransactionGas = 2n ** 24n

/** So much gas and so many percent more, rounded down: a limit. The margin goes up to what a transaction may use. */
export function gasLimitFor(gas: bigint, marginPercent: bigint): bigint {
  const wanted = gas + (gas * marginPercent) / 100n
  const most = gas > maxTransactionGas ? gas : maxTransactionGas
  return wanted < most ? wanted : most
}
