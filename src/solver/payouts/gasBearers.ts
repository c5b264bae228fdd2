import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'

/**
 * Who bears the gas of a transaction.
 * - `quote`: the quote has charged it: `relayerGas`, paid by the user or a sponsor, contains it.
 * - `deposit`: deducted from the refund of the deposits that it served.
 * - `apiKey`: the gas budget of the API key that asked for the call.
 * - `operator`: overhead that no request causes, or whose amount a limit bounds.
 */
type Bearer = 'quote' | 'deposit' | 'apiKey' | 'operator'

/** The bearer by what has become of the transaction, and of the deposits that it served. */
type Bearers = Readonly<{
  /** It took effect, and the deposits are filled. */
  filled: Bearer
  /** It took effect, and the deposits are refunded. */
  refunded: Bearer
  /** It reverted in a block. Limits bound what of it no deposit can bear. */
  reverted: Bearer
  /** A cancellation took its nonce: gas had become too dear, or nodes refused it. */
  cancelled: Bearer
}>

/**
 * The gas ledger. Each purpose names the bearer of its gas, so that no transaction is added without one. A replaced
 * transaction costs what its mined attempt costs.
 */
export const gasBearers = {
  // Refunded: deposits are not refunded once their fill took effect.
  fill: { filled: 'quote', refunded: 'operator', reverted: 'deposit', cancelled: 'operator' },
  // Deducted at the estimate of its own gas, see refundAmount. A refund that reverts keeps the deposit.
  refund: { filled: 'operator', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  settlement: {
    filled: 'quote',
    refunded: 'operator',
    reverted: 'operator',
    cancelled: 'operator',
  },
  // Somebody else who sweeps first pays more than the solver loses.
  sweep: { filled: 'quote', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  // Without a deposit the operator bears a revert, within `maxRevertedPermitsUsd`.
  permit: { filled: 'quote', refunded: 'deposit', reverted: 'deposit', cancelled: 'operator' },
  relayedCall: { filled: 'apiKey', refunded: 'apiKey', reverted: 'apiKey', cancelled: 'apiKey' },
  approval: all('operator'),
  cancellation: all('operator'),
} as const satisfies Record<SolverTransaction['purpose'], Bearers>

function all(bearer: Bearer): Bearers {
  return { filled: bearer, refunded: bearer, reverted: bearer, cancelled: bearer }
}
