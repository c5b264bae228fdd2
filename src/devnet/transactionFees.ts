/** What the devnet's own transactions pay for gas, in wei: what people are told follows from it. */
export const transactionFees = {
  /** Above every chain's base fee. */
  maxFeePerGas: 100_000_000_000n,
  /** What nodes pass on at the least, so that it is the going rate of these chains. */
  maxPriorityFeePerGas: 1_000_000n,
}
