import { concatBytes, sha256, stringToBytes } from 'viem'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { AccountMeta, Instruction } from '#src/protocol/svm/instruction.ts'

const names = [
  'initialize',
  'configure',
  'set_limit',
  'deposit_native',
  'deposit_token',
  'sweep_native',
  'sweep_token',
  'settle',
  'refund',
  'exit',
  'mark_filled',
] as const

/** An instruction of the depository program. */
export type DepositoryMethod = (typeof names)[number]

/** The first bytes of an instruction's data. @source Anchor: the namespace `global` */
export const discriminators: readonly (readonly [DepositoryMethod, Uint8Array])[] = names.map(
  (name) => [name, sha256(stringToBytes(`global:${name}`), 'bytes').slice(0, 8)],
)

const discriminatorOf = new Map(discriminators)

export const depositoryCall = (
  program: Pubkey,
  method: DepositoryMethod,
  keys: readonly AccountMeta[],
  args: readonly Uint8Array[],
): Instruction => ({
  programId: program,
  keys,
  data: concatBytes([discriminatorOf.get(method) ?? new Uint8Array(), ...args]),
})
