import type { TransactionSighting } from '#src/requests/requestState.ts'

/** The hash of the nth transaction of a test, or of its nth block. */
export const hashOf = (number: number): `0x${string}` =>
  `0x${number.toString(16).padStart(64, '0')}`

/** In block `height` of branch `branch`; in none without a height. */
export const sighting = (name: number, height?: number, branch = 0): TransactionSighting => ({
  chainId: 990001,
  hash: hashOf(name),
  ...(height !== undefined && {
    block: { number: BigInt(height), hash: hashOf(1000 * (branch + 1) + height) },
  }),
})

/** By a transaction that makes one. */
export const depositOf = (transaction: TransactionSighting, input = 0) => ({
  input,
  depositId: transaction.hash,
  transaction,
})
