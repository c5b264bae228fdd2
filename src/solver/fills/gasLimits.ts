/** How far a fill may exceed the quoted gas. The constant covers our contracts where the quote has no gas for them. */
const gasTolerance = { times: 2n, plus: 200_000n }

/** The gas limit that a fill never exceeds: the recipient and the targets of the order's calls may be any contract. */
export const maxGasOf = (quoted: bigint): bigint => gasTolerance.times * quoted + gasTolerance.plus

/** Nodes estimate a gas limit, which for a swap over several pools is up to 40 % above the gas that a quote estimates. */
const estimateTolerance = { numerator: 3n, denominator: 2n }

/** Whether the simulation of a fill uses more gas than its plan charges. */
export const usesMoreGas = (simulated: bigint, charged: bigint): boolean =>
  simulated * estimateTolerance.denominator > charged * estimateTolerance.numerator
