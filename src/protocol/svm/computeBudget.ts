import { concatBytes } from 'viem'
import { u8, u32, u64 } from './bytes.ts'
import type { Instruction } from './instruction.ts'
import { programIds } from './programIds.ts'

const call = (data: readonly Uint8Array[]): Instruction => ({
  programId: programIds.computeBudget,
  keys: [],
  data: concatBytes(data),
})

/** The most compute units that the transaction may use; at most 1,400,000. @source solana-compute-budget-interface */
export const limitComputeUnits = (units: number): Instruction => call([u8(2), u32(units)])

/** The priority fee, in millionths of a lamport for each unit of the limit. */
export const priceComputeUnits = (microLamports: bigint): Instruction =>
  call([u8(3), u64(microLamports)])
