/** Gas fees of the devnet's own transactions, in wei. Nodes estimate fees from them. */
export const transactionFees = {
  /** Above every chain's base fee. */
  maxFeePerGas: 100_000_000_000n,
  /** A low tip. Nodes estimate it as the usual tip of these chains. */
  maxPriorityFeePerGas: 1_000_000n,
}
