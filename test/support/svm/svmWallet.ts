import { expect, vi } from 'vitest'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import { createLog } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { type Pubkey, svmNative, toPubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSignature } from '#src/core/units/svm/signature.ts'
import type { SvmChainDescription } from '#src/devnet/svm/svmChainDescription.ts'
import { tokensIn } from '#src/protocol/svm/accounts.ts'
import { associatedTokenAddress } from '#src/protocol/svm/derivedAddress.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'
import { patience } from '#test/support/patience.ts'

/** The part of a step's item that a wallet executes, as REST answers it. */
export type SvmStepData = Readonly<{
  instructions: readonly Readonly<{
    programId: string
    keys: readonly Readonly<{ pubkey: string; isSigner: boolean; isWritable: boolean }>[]
    data: string
  }>[]
}>

export const createSvmDevnetClient = ({
  id,
  displayName,
  rpcUrl,
  genesisHash,
}: SvmChainDescription): SvmClient =>
  createSvmClient(
    { id: toChainId(id), displayName, rpcUrls: [rpcUrl], genesisHash },
    createLog('silent'),
  )

/** What an account holds of a currency at `confirmed`. */
export async function svmBalanceOf(
  client: SvmClient,
  currency: Pubkey,
  owner: Pubkey,
): Promise<bigint> {
  const isNative = currency === svmNative
  const at = isNative ? owner : associatedTokenAddress(owner, currency)
  const { accounts } = await client.getAccounts([at], 'confirmed')
  return isNative ? (accounts[0]?.lamports ?? 0n) : tokensIn(accounts[0], currency)
}

const instructionOf = ({
  programId,
  keys,
  data,
}: SvmStepData['instructions'][number]): Instruction => ({
  programId: toPubkey(programId),
  keys: keys.map(({ pubkey, ...role }) => ({ pubkey: toPubkey(pubkey), ...role })),
  data: Uint8Array.from(Buffer.from(data, 'hex')),
})

/** The instructions of all steps of a quote. */
export const instructionsOfSteps = (
  steps: readonly Readonly<{ items: readonly Readonly<{ data: SvmStepData }>[] }>[],
): readonly Instruction[] =>
  steps.flatMap(({ items }) => items.flatMap(({ data }) => data.instructions.map(instructionOf)))

/** Signs and sends, and waits until the transaction is confirmed. Returns its error. */
export async function sendSvm(
  client: SvmClient,
  signers: readonly [SvmSigner, ...SvmSigner[]],
  instructions: readonly Instruction[],
): Promise<Readonly<{ signature: SvmSignature; error: string | undefined }>> {
  const { blockhash } = await client.getLatestBlockhash('confirmed')
  const message = { payer: signers[0].pubkey, instructions, lifetime: blockhash }
  const { bytes, signature } = await signTransaction(message, signers)
  await client.send(bytes)
  return vi.waitFor(async () => {
    const [status] = await client.getStatuses([signature])
    expect(status?.commitment).toMatch(/confirmed|finalized/)
    return { signature, error: status?.error }
  }, patience)
}

/** Executes a step as a wallet does: it adds a block hash and signs. */
export async function executeSvmStep(
  client: SvmClient,
  signer: SvmSigner,
  { instructions }: SvmStepData,
): Promise<SvmSignature> {
  const { signature, error } = await sendSvm(client, [signer], instructions.map(instructionOf))
  expect(error).toBeUndefined()
  return signature
}
