import type { SvmRpc } from '#src/chains/svm/svmRpc.ts'
import type { Log } from '#src/config/log.ts'
import type { BatchStore } from '#src/requests/requestStore.ts'
import { WrongGenesisError } from '#src/requests/tracker/findStart.ts'
import type { Cursor, TrackingStore } from '#src/requests/trackingStore.ts'
import type { SvmTracked } from './depositoryEvents.ts'

type Deps = Readonly<{
  client: Pick<SvmRpc, 'getGenesis' | 'getSlot'>
  log: Log
  store: TrackingStore & BatchStore
}>

/**
 * The saved cursor. If the chain was never followed, it is the newest final slot; if users were already quoted, the whole
 * history of the vault is read. Deletes the stored rows of a devnet with another genesis: it is a new chain.
 * @throws WrongGenesisError if any other chain has another genesis than the stored one; what the store and the RPC throw
 */
export async function findSvmStart(
  { client, log, store }: Deps,
  { chainId }: SvmTracked,
  isDevnet: boolean,
): Promise<Cursor> {
  const [genesis, cursor] = await Promise.all([client.getGenesis(), store.cursor(chainId)])
  if (cursor?.genesis === genesis) return cursor
  if (cursor !== undefined) {
    if (!isDevnet)
      throw new WrongGenesisError(chainId, { stored: cursor.genesis, answered: genesis })
    log.warn(
      { chainId, genesis, before: cursor.genesis },
      'The genesis block has changed; deleting the stored rows of the old chain',
    )
    await store.forgetChain(chainId)
  }
  const wasQuoted = (await store.firstQuotedAt(chainId)) !== undefined
  const number = wasQuoted ? 0n : await client.getSlot('finalized')
  const start = { chainId, genesis, block: { number, hash: genesis } }
  // Saved at once: a restart before the next save follows from the same slot.
  await store.save({ cursor: start })
  return start
}
