import type { ChainMarket } from '#src/core/pricing/market.ts'
import { createGraph } from '#src/core/router/graph.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import { toUsd } from '#src/core/units/usd.ts'

/** A chain's market at one block, without the parts that come from the configuration. Immutable. */
export type ReplicaState = Readonly<{
  /** Without `chain` in a reader, which takes that from its own configuration. */
  market: ChainMarket | Omit<ChainMarket, 'chain'>
  /** All permanent currencies of the chain, including those of all its pools. The list only grows. */
  currencies: readonly Currency[]
  /** The newest height that a node has reported. */
  announced: bigint
  /** Number of tracked pools, routable or not. */
  trackedPools: number
  /** Why the pools of some factories are not used, for people. */
  refusedFactories: readonly string[]
  /** Number of RPC endpoints of the process that publishes the replica. */
  endpoints: number
}>

/** The state of a reader before the first snapshot. */
export const emptyState: ReplicaState = {
  market: {
    block: { number: 0n, hash: '0x', timestamp: 0n },
    finality: { height: undefined, blocks: 0 },
    exposedUsd: toUsd(0n),
    settlement: undefined,
    graph: createGraph([]),
    gas: {
      vmType: 'evm',
      baseFeePerGas: 0n,
      priorityFeePerGas: 0n,
      l1DataFee: { model: 'none' },
    },
    usdPrices: new Map(),
    feedPrices: new Map(),
    solverBalances: new Map(),
    sequencer: undefined,
    refusedCurrencies: new Map(),
    stoppedAssets: new Set(),
  },
  currencies: [],
  announced: 0n,
  trackedPools: 0,
  refusedFactories: [],
  endpoints: 0,
}

/** A market that this process reads from the chain itself. */
export type ReplicaSource = Readonly<{
  latest: (chainId: ChainId) => ChainMarket | undefined
  status: () => readonly Readonly<{
    chainId: ChainId
    head: Readonly<{ lagBlocks: bigint; pools: number }> | undefined
    refusedFactories: readonly string[]
  }>[]
  currencies: Readonly<{ ofChain: (chainId: ChainId) => readonly Currency[] }>
  listen: (onSnapshot: (chainId: ChainId) => void) => () => void
}>

/** The current state of a chain's market. Undefined before its first snapshot. */
export function replicaStateOf(
  source: Omit<ReplicaSource, 'listen'>,
  chainId: ChainId,
): ReplicaState | undefined {
  const latest = source.latest(chainId)
  const status = source.status().find((each) => each.chainId === chainId)
  if (latest === undefined || status?.head === undefined) return undefined
  return {
    market: latest,
    currencies: source.currencies.ofChain(chainId),
    announced: latest.block.number + status.head.lagBlocks,
    trackedPools: status.head.pools,
    refusedFactories: status.refusedFactories,
    endpoints: latest.chain.depositPolicy.endpoints,
  }
}
