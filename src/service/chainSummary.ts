import type { SequencerState } from '#src/core/pricing/market.ts'
import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Currency } from '#src/core/units/currency.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'

/** A configured chain. */
export type ChainSummary = Readonly<{
  id: ChainId
  name: string
  displayName: string
  explorerUrl: string | undefined
  iconUrl: string | undefined
  /** Whether orders from and to this chain are refused. */
  disabled: boolean
  nativeCurrency: Currency
  wrappedNative: Address
  /** Public RPC endpoints for wallets; `undefined` if none is configured. */
  publicRpcUrl: string | undefined
  publicWsUrl: string | undefined
  /** `undefined` if they are not deployed: orders on this chain can then be priced but not quoted. */
  contracts: ProtocolContracts | undefined
  multicall3: Address
  /** Average time between blocks. */
  blockSeconds: number
  /** Names of the AMM deployments that routes on this chain can use. */
  swapSources: readonly string[]
  /** The currencies that the solver pays out on this chain, with its balances. */
  solverCurrencies: readonly Readonly<{ currency: Currency; balance: Amount }>[]
  /** The block of the newest market snapshot; `undefined` before the first one. */
  head: ChainHead | undefined
  /**
   * State of the rollup's sequencer. The chain has prices only while it is up. Absent if no sequencer feed is
   * configured.
   */
  sequencer?: SequencerState['status'] | undefined
  /** Reason why the first snapshot is missing, as a phrase for operators. Absent once there is one. */
  waitsFor?: string | undefined
  /** Age and verification of the chain's market. Absent if the market does not follow the chain. */
  market?: MarketStatus | undefined
}>

/** The age and the verification results of a chain's market. */
export type MarketStatus = Readonly<{
  /**
   * Age of the newest block by its timestamp, negative for a timestamp in the future; `undefined` before the first
   * block.
   */
  ageSeconds: number | undefined
  /** Number of blocks that a node has announced and the market does not have yet; `undefined` before the first one. */
  lagBlocks: bigint | undefined
  /** Reason why prices are refused as stale, for people; `undefined` while they are not. */
  staleReason: string | undefined
  /** Numbers of known pools and of pools whose state is followed; `undefined` while unknown. */
  pools: Readonly<{ discovered: number | undefined; followed: number | undefined }>
  /**
   * Number of comparisons of a pool with the chain, of those that found a difference, and of full re-reads of all
   * pools.
   */
  verified: number
  differences: number
  resyncs: number
  /** Reasons why the pools of some factories are not used, for people. */
  refusedFactories: readonly string[]
  /** Present if the market comes from a feed instead of a node. */
  feed?:
    | Readonly<{
        /** Milliseconds since the last message that was accepted; `undefined` before the first one. */
        silentMs: number | undefined
        /** Number of refused messages by reason. They changed nothing. */
        refused: ReadonlyMap<string, number>
        /** Number of snapshots that the feed has started from. */
        snapshots: number
      }>
    | undefined
}>

/** The block that prices on a chain are computed from. */
export type ChainHead = Readonly<{
  number: bigint
  hash: `0x${string}`
  timestamp: bigint
  baseFeePerGas: bigint
  priorityFeePerGas: bigint
  /** Number of pools that routes can use. */
  pools: number
}>

export type HeadOfChain = ChainHead & Readonly<{ chainId: ChainId }>
