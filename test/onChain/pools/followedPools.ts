import type { FollowedBlock } from '#src/chains/chainEvent.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { poolsOf } from '#src/core/router/graph.ts'
import type { Factory } from '#src/market/kinds/kinds.ts'
import { ChainPools } from '#src/market/pools/chainPools.ts'
import { parsePoolCreations } from '#src/market/pools/discovery/poolCreations.ts'
import { createFactoryRefusals } from '#src/market/pools/verification/factoryRefusals.ts'
import { readTogether } from '#src/market/reads/reading.ts'
import type { Exchange } from './exchange.ts'

const silent = () => undefined
const log = { debug: silent, info: silent, warn: silent, error: silent }

/** The head, as the follower of the chain reports it. */
export async function headBlock({ client }: Exchange): Promise<FollowedBlock> {
  const { hash, number, parentHash, timestamp, baseFeePerGas } = await client.getBlock()
  const logs = await client.getLogs({ blockHash: hash })
  return {
    hash,
    number,
    parentHash,
    timestamp,
    baseFeePerGas: baseFeePerGas ?? null,
    gas: null,
    logs,
  }
}

/**
 * The market's pools of a factory at the head, all of whose currencies count as checked.
 * @param read the factory's pools as the chain has them now.
 */
export async function followPools(
  exchange: Exchange,
  client: ChainClient,
  { factory, read }: Readonly<{ factory: Factory; read: () => Promise<readonly Pool[]> }>,
) {
  const chain = {
    id: exchange.chainId,
    displayName: 'Test',
    factories: [factory],
    finalityDepth: 64,
    verifyEverySeconds: 600,
  }
  let differences = 0
  const pools = new ChainPools(
    {
      client,
      log,
      now: () => 0,
      onVerified: silent,
      checks: {
        isAccepted: () => true,
        refusals: () => new Map(),
        forget: silent,
        check: async () => false,
      },
      refusals: createFactoryRefusals({ client, log }, chain),
      onDifference: () => {
        differences += 1
      },
    },
    chain,
  )
  const logs = await exchange.client.getLogs({ address: factory.factory, fromBlock: 0n })
  pools.add(parsePoolCreations(factory, logs))
  const take = async () => {
    const block = await headBlock(exchange)
    pools.apply(block)
    const { readings, commit } = pools.unlogged()
    commit(await readTogether(client, readings, block.hash))
    return block
  }
  await take()
  await pools.refresh()
  const graph = () => poolsOf(pools.graph())
  const onChain = async () => (await read()).toSorted(byAddress)
  return { pools, take, graph, onChain, differences: () => differences }
}

const byAddress = (one: { address: string }, other: { address: string }) =>
  one.address < other.address ? -1 : 1
