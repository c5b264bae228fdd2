import { pino } from 'pino'
import type { Hash, Hex } from 'viem'
import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import type { RpcLimits } from '#src/config/endpoints.ts'
import type { Log } from '#src/config/log.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type AnvilClient, createAnvilClient, startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import { reorgChain } from './reorgChain.ts'

const testChainId = toChainId(990001)

const emitter = toAddress('0x00000000000000000000000000000000000e4177')
const multicall3 = toAddress('0xca11bde05977b3631167028862be2a173976ca11')

/** The first of anvil's unlocked accounts. */
const sender = toAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266')

/** Bytecode that emits one empty log. Its topic is the first 32 bytes of the calldata. */
const emitterCode: Hex = '0x60003560006000a100'

/** A chain that mines only on request, with a contract that logs its calldata. */
export type TestChain = Readonly<{
  rpcUrl: string
  wsUrl: string
  anvil: AnvilClient
  /** Mines one block with a log of each topic, in order. */
  emit: (...topics: readonly Hex[]) => Promise<void>
  /** Replaces the last `depth` blocks by empty ones. */
  reorg: (depth: number) => Promise<void>
  /** The node's canonical blocks from this height to the latest. */
  canonical: (fromHeight: bigint) => Promise<readonly CanonicalBlock[]>
  stop: () => Promise<void>
}>

export type CanonicalBlock = Readonly<{ number: bigint; hash: Hash; topics: readonly Hex[] }>

export async function startTestChain(options: readonly string[] = []): Promise<TestChain> {
  const process = await startAnvil({
    chainId: testChainId,
    options: ['--no-mining', '--order', 'fifo', ...options],
  })
  const anvil = createAnvilClient(process.rpcUrl)
  await anvil.setCode({ address: emitter, bytecode: emitterCode })

  async function emit(...topics: readonly Hex[]): Promise<void> {
    for (const data of topics)
      await anvil.sendTransaction({
        account: sender,
        chain: null,
        to: emitter,
        data,
        gas: 100_000n,
      })
    await anvil.mine({ blocks: 1 })
  }

  async function canonical(fromHeight: bigint): Promise<readonly CanonicalBlock[]> {
    const last = await anvil.getBlockNumber()
    const heights = Array.from(
      { length: Number(last - fromHeight) + 1 },
      (_, at) => fromHeight + BigInt(at),
    )
    return Promise.all(
      heights.map(async (blockNumber) => {
        const { number, hash } = await anvil.getBlock({ blockNumber })
        const logs = await anvil.getLogs({ blockHash: hash })
        return { number, hash, topics: logs.flatMap((log) => log.topics) }
      }),
    )
  }

  return {
    rpcUrl: process.rpcUrl,
    wsUrl: process.wsUrl,
    anvil,
    emit,
    canonical,
    reorg: (depth) => reorgChain(anvil, depth),
    stop: process.stop,
  }
}

/** Converts a followed block to the format of `canonical`. */
export const toCanonical = ({ number, hash, logs }: FollowedBlock): CanonicalBlock => ({
  number,
  hash,
  topics: logs.flatMap((log) => log.topics),
})

/** A client of the test chain, or of the one with this id, behind these URLs. */
export const createTestClient = (
  urls: Readonly<{
    rpcUrls: readonly string[]
    sendUrls?: string[]
    rpcLimits?: ReadonlyMap<string, RpcLimits>
    wsUrl?: string
    id?: ChainId
  }>,
  log: Log = pino({ level: 'silent' }),
  timeoutSeconds = 5,
): ChainClient =>
  createChainClient(
    {
      id: testChainId,
      displayName: 'Test Chain',
      nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
      multicall3,
      ...urls,
      rpcUrls: [...urls.rpcUrls],
    },
    log,
    { timeoutSeconds },
  )

export type LogLine = Readonly<Record<string, unknown> & { level: number; msg: string }>

/** A log that records its lines. */
export function recordLog(): Readonly<{ log: Log; lines: readonly LogLine[] }> {
  const lines: LogLine[] = []
  const log = pino(
    { level: 'debug', base: null },
    { write: (line) => lines.push(JSON.parse(line)) },
  )
  return { log, lines }
}
