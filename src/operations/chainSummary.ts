import type { ProtocolContracts } from '#src/contracts/protocolContracts.ts'
import type { SequencerState } from '#src/pricing/market.ts'
import type { Address } from '#src/units/address.ts'
import type { Amount } from '#src/units/amount.ts'
import type { ChainId } from '#src/units/chainId.ts'
import type { Currency } from '#src/units/currency.ts'

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
  /** State of the rollup's sequencer: unless it is up, the chain has no prices. Absent on a chain without its feed. */
  sequencer?: SequencerState['status'] | undefined
  /** What its first snapshot waits for, as a phrase for operators. Absent once it has one. */
  waitsFor?: string | undefined
  /** How current the market of the chain is. Absent where it is not looked at. */
  market?: MarketStatus | undefined
}>

/** How current the market of a chain is, and what its verification has found. */
export type MarketStatus = Readonly<{
  /** Age of the newest block by its timestamp, negative if it is dated in the future; `undefined` before the first one. */
  ageSeconds: number | undefined
  /** Blocks that a node has announced and the market does not have yet; `undefined` before the first one. */
  lagBlocks: bigint | undefined
  /** Why prices are refused as stale, for people; `undefined` while they are not. */
  staleReason: string | undefined
  /** Pools that are known, and those of them whose state is followed; `undefined` while it is not known. */
  pools: Readonly<{ discovered: number | undefined; followed: number | undefined }>
  /** How often a pool was compared with the chain, how often one differed, and how often all were read again. */
  verified: number
  differences: number
  resyncs: number
  /** Why the pools of some factories are not used, for people. */
  refusedFactories: readonly string[]
  /** Present where the market comes from a feed, and from no node. */
  feed?:
    | Readonly<{
        /** Milliseconds since the last message that was accepted; `undefined` before the first one. */
        silentMs: number | undefined
        /** Messages that changed nothing, by their reason. */
        refused: ReadonlyMap<string, number>
        /** How often it began with a snapshot. */
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
