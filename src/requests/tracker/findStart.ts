import { createReadFinal } from '#src/chains/follow/finality.ts'
import { findBlockBefore, readHeaderAt, readHeaderOf } from '#src/chains/read/readBlock.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { type Header, parseHeader } from '#src/chains/rpc/rpcAnswer.ts'
import { UnusableAnswerError } from '#src/chains/rpc/rpcError.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BatchStore } from '#src/requests/requestStore.ts'
import type { Cursor, TrackingStore } from '#src/requests/trackingStore.ts'
import { idOfBlock } from './read/trackedLogs.ts'

/** The chain's block 0 differs from the one of the stored data. */
export class WrongGenesisError extends Error {
  constructor(chainId: ChainId, genesis: Readonly<{ stored: string; answered: string }>) {
    super(
      `Block 0 of chain ${chainId} is ${genesis.answered}, but the stored data belongs to a chain with block 0 ${genesis.stored}`,
    )
    this.name = 'WrongGenesisError'
  }
}

type Deps = Readonly<{
  client: Rpc
  log: Log
  store: TrackingStore & BatchStore
}>

/** Maximum lead of a gateway's clock over the timestamps of a chain, in seconds. */
const clockSlack = 3_600

type Rules = Pick<ChainConfig, 'id' | 'finalityDepth'> &
  Readonly<{
    /** Whether a chain with another genesis block replaces the stored one, whose rows are deleted. */
    isDevnet: boolean
  }>

/**
 * Finds the start block: the saved cursor. If the chain was never followed, it is the newest final block from before
 * the first quote whose user pays on the chain, as deposits can be older than the first tracker. Deletes the stored
 * rows of a devnet whose genesis hash differs and which no longer has the saved block: it is a new chain.
 * @throws WrongGenesisError if the genesis hash of any other chain differs; what the store and the RPC throw
 */
export async function findStart(
  { client, log, store }: Deps,
  { id: chainId, finalityDepth, isDevnet }: Rules,
  signal: AbortSignal,
): Promise<Cursor> {
  const genesis = (await headerAt(client, 0n, signal)).hash
  const cursor = await store.cursor(chainId)
  if (cursor !== undefined && cursor.genesis !== genesis) {
    // One wrong answer for block 0 does not delete a ledger: the saved block must be gone as well.
    const isSameChain = (await readHeaderOf(client, idOfBlock(cursor.block), signal)) !== undefined
    if (!isDevnet || isSameChain)
      throw new WrongGenesisError(chainId, { stored: cursor.genesis, answered: genesis })
    log.warn(
      { chainId, genesis, before: cursor.genesis },
      'The genesis block has changed; deleting the stored rows of the old chain',
    )
    await store.forgetChain(chainId)
  }
  if (cursor === undefined || cursor.genesis !== genesis) {
    const final = await newestFinal(client, finalityDepth, signal)
    const quotedAt = await store.firstQuotedAt(chainId)
    const block =
      quotedAt === undefined
        ? final
        : await findBlockBefore(
            (number) => headerAt(client, number, signal),
            BigInt(Math.floor(quotedAt / 1_000) - clockSlack),
            final,
          )
    const start = { chainId, genesis, block: idOfBlock(block) }
    // Saved at once: a restart before the next save follows from the same block.
    await store.save({ cursor: start })
    return start
  }
  const present = await readHeaderAt(client, cursor.block.number, signal)
  if (present === undefined || present.hash === cursor.block.hash) return cursor
  log.error(
    { chainId, block: cursor.block },
    'A reorg replaced a final block; following from further back',
  )
  const below = cursor.block.number - BigInt(finalityDepth)
  return { ...cursor, block: idOfBlock(await headerAt(client, below < 0n ? 0n : below, signal)) }
}

async function headerAt(
  client: Deps['client'],
  number: bigint,
  signal: AbortSignal,
): Promise<Header> {
  const header = await readHeaderAt(client, number, signal)
  if (header === undefined) throw new UnusableAnswerError(`no node has block ${number}`)
  return header
}

/** @throws UnusableAnswerError if no node has a block, and what `ask` throws */
export async function newestFinal(
  client: Rpc,
  finalityDepth: number,
  signal: AbortSignal,
): Promise<Header> {
  const request = { method: 'eth_getBlockByNumber', params: ['latest', false] }
  const latest = await client.ask(request, parseHeader, signal)
  if (latest === undefined) throw new UnusableAnswerError('no node has a block')
  const final = await createReadFinal(client, { finalityDepth })(latest.number, signal)
  return headerAt(client, final?.number ?? 0n, signal)
}
