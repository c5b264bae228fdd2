import { setTimeout } from 'node:timers/promises'
import { createSvmClient } from '#src/chains/svm/svmClient.ts'
import type { ShownSvmTransaction } from '#src/cli/demo/gatewayClient.ts'
import { createLog } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import type { SvmChainDescription } from '#src/devnet/svm/svmChainDescription.ts'
import { keySigner } from '#src/protocol/svm/signer.ts'
import { signTransaction } from '#src/protocol/svm/transaction.ts'

/** Signs as the devnet's first user, sends, and waits until the transaction is confirmed. @throws Error if it failed */
export async function sendSvmTransaction(
  { id, displayName, rpcUrl, genesisHash, keys }: SvmChainDescription,
  { instructions }: ShownSvmTransaction,
): Promise<Readonly<{ chainId: number; txHash: string }>> {
  const [user] = keys.users
  if (user === undefined) throw new Error('The devnet has no accounts')
  const signer = keySigner(decodeBase58(user.privateKey))
  const chain = { id: toChainId(id), displayName, rpcUrls: [rpcUrl], genesisHash }
  const client = createSvmClient(chain, createLog('silent'))
  try {
    const { blockhash } = await client.getLatestBlockhash('confirmed')
    const message = { payer: signer.pubkey, instructions, lifetime: blockhash }
    const { bytes, signature } = await signTransaction(message, [signer])
    await client.send(bytes)
    for (;;) {
      const [status] = await client.getStatuses([signature])
      if (status?.error !== undefined) throw new Error('A transaction of the quote failed')
      if (status !== undefined && status.commitment !== 'processed')
        return { chainId: id, txHash: signature }
      await setTimeout(pollMs)
    }
  } finally {
    client.close()
  }
}

const pollMs = 200
