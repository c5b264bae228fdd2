import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { configAddress } from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { initializeCall } from '#src/protocol/svm/depository/ownerCalls.ts'
import type { AccountMeta, Instruction } from '#src/protocol/svm/instruction.ts'
import { allocator, exitSeconds, owner, payee } from './depositoryRig.ts'
import { ProgramChain } from './programChain.ts'

/** The call with another account at a place. */
export const withAccount = (call: Instruction, place: number, pubkey: Pubkey): Instruction =>
  withMeta(call, place, { pubkey })

/** The call with an account that has not signed. */
export const unsignedAt = (call: Instruction, place: number): Instruction =>
  withMeta(call, place, { isSigner: false })

const withMeta = (
  call: Instruction,
  place: number,
  changes: Partial<AccountMeta>,
): Instruction => ({
  ...call,
  keys: call.keys.map((meta, at) => (at === place ? { ...meta, ...changes } : meta)),
})

/** A program that is not initialized yet, and the call that would do it. */
export function uninitialized() {
  const chain = new ProgramChain()
  const { authority, program } = chain
  const call = initializeCall(program, { owner, allocator, payee, exitSeconds, authority })
  return { chain, call, config: configAddress(program) }
}
