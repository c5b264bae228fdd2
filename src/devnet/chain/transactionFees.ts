/** Gas fees of the devnet's own transactions, in wei. Fee estimates on the devnet follow from them. */
export const transactionFees = {
  /** Above every chain's base fee. */
  maxFeePerGas: 100_000_000_000n,
  /** A low tip, which becomes the usual tip of these chains. */
  maxPriorityFeePerGas: 1_000_000n,
}
