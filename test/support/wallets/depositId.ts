import { type Hash, parseEventLogs, type TransactionReceipt } from 'viem'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'

/** The id of a transaction's deposit. Undefined if it has no recorded deposit. */
export async function depositIdOf(
  client: Readonly<{
    getTransactionReceipt: (
      of: Readonly<{ hash: Hash }>,
    ) => Promise<Pick<TransactionReceipt, 'logs'>>
  }>,
  chainId: number,
  hash: Hash,
): Promise<string> {
  const { logs } = await client.getTransactionReceipt({ hash })
  const [event] = parseEventLogs({ abi: depository.abi, logs, eventName: 'DepositRecorded' })
  if (event === undefined) throw new Error(`Transaction ${hash} made no deposit with a record`)
  return `${chainId}:${event.args.depositId}`
}
