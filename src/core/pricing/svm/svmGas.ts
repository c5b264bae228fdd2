import { divUp } from '#src/core/units/arithmetic.ts'

/** Prices of transactions on a Solana chain, in lamports. */
export type SvmGasMarket = Readonly<{
  vmType: 'svm'
  lamportsPerSignature: bigint
  /** Priority fee for inclusion in the next blocks, in millionths of a lamport for each compute unit of the limit. */
  microLamportsPerUnit: bigint
  /** The deposit that keeps a byte of an account on chain. */
  lamportsPerByte: bigint
}>

/** A transaction on a Solana chain. */
type SvmSize = Readonly<{
  /** Its limit of compute units. */
  gas: bigint
  /** Bytes of the accounts that it creates and that nobody closes, each with its 128 bytes of overhead. */
  bytes: bigint
  /** Absent: one. */
  signatures?: bigint | undefined
}>

/** In lamports, rounded up. */
export const svmTransactionCost = (
  { lamportsPerSignature, microLamportsPerUnit, lamportsPerByte }: SvmGasMarket,
  { gas, bytes, signatures = 1n }: SvmSize,
): bigint =>
  signatures * lamportsPerSignature +
  divUp(gas * microLamportsPerUnit, 1_000_000n) +
  bytes * lamportsPerByte

/** Lamports for each compute unit, rounded up. */
export const lamportsPerUnit = ({ microLamportsPerUnit }: SvmGasMarket): bigint =>
  divUp(microLamportsPerUnit, 1_000_000n)
