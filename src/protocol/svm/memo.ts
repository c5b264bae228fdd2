import { bytesToString, stringToBytes } from 'viem'
import type { CalledInstruction, Instruction } from './instruction.ts'
import { programIds } from './programIds.ts'

/** Text in a transaction, which nobody signs for in particular. */
export const memo = (text: string): Instruction => ({
  programId: programIds.memo,
  keys: [],
  data: stringToBytes(text),
})

/** Undefined for other instructions. Anyone can copy a memo: it proves nothing. */
export const decodeMemo = ({ programId, data }: CalledInstruction): string | undefined =>
  programId === programIds.memo ? bytesToString(data) : undefined
