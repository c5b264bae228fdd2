import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { newestFinal } from '#src/requests/tracker/findStart.ts'

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  store: Pick<RequestStore, 'cursor' | 'save'>
}>

class CannotFollowFromError extends Error {
  constructor(block: bigint, reason: string) {
    super(`The chain cannot be followed from block ${block}: ${reason}`)
    this.name = 'CannotFollowFromError'
  }
}

/**
 * Makes the tracker of a new database follow a chain from this block, in place of the newest final block. The database
 * does not have the requests of the deposits that the tracker then finds. A deposit is settled if its order is filled,
 * and otherwise refunded to its depositor.
 * @throws CannotFollowFromError if the block is not final, or the database has followed the chain already
 */
export async function followFrom(
  { client, store }: Deps,
  { id: chainId, finalityDepth }: Pick<ChainConfig, 'id' | 'finalityDepth'>,
  block: bigint,
): Promise<void> {
  const cursor = await store.cursor(chainId)
  if (cursor !== undefined)
    throw new CannotFollowFromError(
      block,
      `this database has followed it to block ${cursor.block.number}. Use a new one, before its first start`,
    )
  const final = await newestFinal(client, finalityDepth, new AbortController().signal)
  if (block > final.number)
    throw new CannotFollowFromError(block, `the newest final block is ${final.number}`)
  const [genesis, start] = [await readHeaderAt(client, 0n), await readHeaderAt(client, block)]
  if (genesis === undefined || start === undefined)
    throw new CannotFollowFromError(block, 'no node has it')
  const { number, hash } = start
  await store.save({ cursor: { chainId, genesis: genesis.hash, block: { number, hash } } })
}
