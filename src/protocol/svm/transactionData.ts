import { bytesToHex, type Hex, hexToBytes } from 'viem'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { AccountMeta, Instruction } from './instruction.ts'

/** A transaction as a wallet gets it: it adds a block hash and signs. */
export type SvmTransactionData = Readonly<{
  chainId: ChainId
  /** Signs first, and pays the fee. */
  payer: Pubkey
  instructions: readonly StepInstruction[]
}>

/** An instruction as steps store it. */
type StepInstruction = Readonly<{
  programId: Pubkey
  keys: readonly AccountMeta[]
  data: Hex
}>

export const toStepInstruction = ({ data, ...rest }: Instruction): StepInstruction => ({
  ...rest,
  data: bytesToHex(data),
})

export const toInstruction = ({ data, ...rest }: StepInstruction): Instruction => ({
  ...rest,
  data: hexToBytes(data),
})
