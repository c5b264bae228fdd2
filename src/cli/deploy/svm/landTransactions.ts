import { setTimeout } from 'node:timers/promises'
import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import { readPriorityFee } from '#src/market/svm/svmBlockReads.ts'
import { priceComputeUnits } from '#src/protocol/svm/computeBudget.ts'
import type { Instruction } from '#src/protocol/svm/instruction.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'

/** Instructions of one transaction, and who signs it besides the payer. */
export type Call = Readonly<{
  signers?: readonly SvmSigner[]
  instructions: readonly Instruction[]
}>

const pollMs = 500

/**
 * Pays what the market of priority fees asks, up to its bound. Sends transactions again and again until all are confirmed, or can no longer land: read then what is missing.
 * @throws Error if one of them fails
 */
export async function landTransactions(
  client: SvmClient,
  payer: SvmSigner,
  calls: readonly Call[],
): Promise<void> {
  const { blockhash, lastValidBlockHeight } = await client.getLatestBlockhash('confirmed')
  const price = priceComputeUnits(await readPriorityFee(client, []))
  let open = await Promise.all(
    calls.map(({ signers = [], instructions }) => {
      const priced = [price, ...instructions]
      const message = { payer: payer.pubkey, instructions: priced, lifetime: blockhash }
      return signTransaction(message, [payer, ...signers])
    }),
  )
  while ((await client.getBlockHeight('confirmed')) <= lastValidBlockHeight) {
    await Promise.all(open.map(({ bytes }) => client.send(bytes)))
    await setTimeout(pollMs)
    const statuses = await client.getStatuses(open.map(({ signature }) => signature))
    const failed = statuses.find((status) => status?.error !== undefined)
    if (failed !== undefined) throw new Error(`A transaction failed: ${failed.error}`)
    open = open.filter((_, at) => (statuses[at]?.commitment ?? 'processed') === 'processed')
    if (open.length === 0) return
  }
}
