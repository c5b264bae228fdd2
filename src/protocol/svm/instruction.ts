import type { Pubkey } from '#src/core/units/svm/pubkey.ts'

/** An account that an instruction uses. */
export type AccountMeta = Readonly<{ pubkey: Pubkey; isSigner: boolean; isWritable: boolean }>

/** A call of a program, as a transaction is made of it. */
export type Instruction = Readonly<{
  programId: Pubkey
  keys: readonly AccountMeta[]
  data: Uint8Array
}>

/** A call of a program that was read: which accounts sign is not part of it. */
export type CalledInstruction = Readonly<{
  programId: Pubkey
  accounts: readonly Pubkey[]
  data: Uint8Array
}>

/** An account of an instruction: read only. */
export const reads = (pubkey: Pubkey): AccountMeta => ({
  pubkey,
  isSigner: false,
  isWritable: false,
})

/** An account of an instruction that it changes. */
export const writes = (pubkey: Pubkey): AccountMeta => ({
  pubkey,
  isSigner: false,
  isWritable: true,
})

/** The same account, which also signs. */
export const signs = (meta: AccountMeta): AccountMeta => ({ ...meta, isSigner: true })
