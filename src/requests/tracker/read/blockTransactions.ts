import type { Hash } from 'viem'
import type { BlockId } from '#src/chains/chainEvent.ts'
import {
  type ChainTransaction,
  readBlockTransactions,
  readTransaction,
} from '#src/chains/read/readTransaction.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'

/**
 * No node has a transaction whose logs a block contains. A node will have it soon, or a reorg removed the block.
 * The message is for the log.
 */
export class MissingTransactionError extends UnusableAnswerError {
  constructor(hash: Hash) {
    super(`no node has transaction ${hash}`)
    this.name = 'MissingTransactionError'
  }
}

/** Maximum number of single reads. For more, one read of the whole block is cheaper. Bounds the RPC calls per block. */
const maxSingleReads = 8

/** Returns transactions of one block, in the order of the hashes. Reads each once. @throws MissingTransactionError */
export type BlockTransactions = (hashes: readonly Hash[]) => Promise<readonly ChainTransaction[]>

export function createBlockTransactions(
  client: Rpc,
  block: BlockId,
  signal: AbortSignal,
): BlockTransactions {
  const reads = new Map<Hash, Promise<ChainTransaction | undefined>>()

  function read(hashes: readonly Hash[]): void {
    if (hashes.length <= maxSingleReads) {
      for (const hash of hashes) reads.set(hash, readTransaction(client, hash, signal))
      return
    }
    const whole = readBlockTransactions(client, block, new Set(hashes), signal)
    for (const hash of hashes)
      reads.set(
        hash,
        whole.then((found) => found?.get(hash)),
      )
  }

  return async (hashes) => {
    read([...new Set(hashes)].filter((hash) => !reads.has(hash)))
    return Promise.all(
      hashes.map(async (hash) => {
        const transaction = await reads.get(hash)
        if (transaction === undefined) throw new MissingTransactionError(hash)
        return transaction
      }),
    )
  }
}
