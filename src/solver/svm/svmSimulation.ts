import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { blockhashOf } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { limitComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import { unsignedTransaction } from '#src/protocol/svm/transaction.ts'

const anyBlockhash = blockhashOf(new Uint8Array(32))

/**
 * Why a transaction of the solver would fail now; undefined if it would take effect. Nodes see no signature of it.
 * @param units its limit of compute units
 * @throws what the RPC throws
 */
export async function simulateFailure(
  client: Pick<SvmClient, 'simulate'>,
  solver: Pubkey,
  { instructions, units }: Readonly<{ instructions: readonly Instruction[]; units: bigint }>,
): Promise<string | undefined> {
  const limited = [limitComputeUnits(Number(units)), ...instructions]
  const message = { payer: solver, instructions: limited, lifetime: anyBlockhash }
  return (await client.simulate(unsignedTransaction(message))).error
}
