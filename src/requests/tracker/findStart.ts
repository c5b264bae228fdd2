import type { ChainClient } from '#src/chains/chainClient.ts'
import { readHeaderAt } from '#src/chains/readBlock.ts'
import { type Header, parseHeader } from '#src/chains/rpcAnswer.ts'
import { RpcRefusedError, UnusableAnswerError } from '#src/chains/rpcError.ts'
import type { ChainConfig } from '#src/config.ts'
import type { Log } from '#src/log.ts'
import type { Cursor, RequestStore } from '#src/requests/requestStore.ts'
import { idOfBlock } from './read/trackedLogs.ts'

type Deps = Readonly<{
  client: Pick<ChainClient, 'ask'>
  log: Log
  store: Pick<RequestStore, 'cursor' | 'forgetChain' | 'save'>
}>

/**
 * Where to follow on from: where the chain was left, or its last final block where it is followed for the first
 * time. What is stored of another chain of the same id, as devnets leave it, is forgotten.
 * @throws what the store and the RPC throw.
 */
export async function findStart(
  { client, log, store }: Deps,
  { id: chainId, finalityDepth }: Pick<ChainConfig, 'id' | 'finalityDepth'>,
  signal: AbortSignal,
): Promise<Cursor> {
  const genesis = (await headerAt(client, 0n, signal)).hash
  const cursor = await store.cursor(chainId)
  if (cursor !== undefined && cursor.genesis !== genesis) {
    log.warn(
      { chainId, genesis, before: cursor.genesis },
      'Another chain: what is stored is forgotten',
    )
    await store.forgetChain(chainId)
  }
  if (cursor === undefined || cursor.genesis !== genesis) {
    const block = idOfBlock(await lastFinal(client, finalityDepth, signal))
    const start = { chainId, genesis, block }
    // At once: what comes before the next save is followed again.
    await store.save({ cursor: start })
    return start
  }
  const now = await readHeaderAt(client, cursor.block.number, signal)
  if (now === undefined || now.hash === cursor.block.hash) return cursor
  log.error(
    { chainId, block: cursor.block },
    'A reorg undid what was final; followed from further back',
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

async function lastFinal(
  client: Deps['client'],
  finalityDepth: number,
  signal: AbortSignal,
): Promise<Header> {
  const at = (block: 'latest' | 'finalized') =>
    client.ask({ method: 'eth_getBlockByNumber', params: [block, false] }, parseHeader, signal)
  const tagged = await at('finalized').catch((error: unknown) => {
    if (!(error instanceof RpcRefusedError)) throw error
  })
  if (tagged !== undefined) return tagged
  const latest = await at('latest')
  if (latest === undefined) throw new UnusableAnswerError('no node has a block')
  const below = latest.number - BigInt(finalityDepth)
  return headerAt(client, below < 0n ? 0n : below, signal)
}
