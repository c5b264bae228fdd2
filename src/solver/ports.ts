import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig, Config } from '#src/config/config.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { Account, Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type {
  KnownCurrencies,
  LatestMarkets,
  MarketSnapshots,
  PoolDemand,
} from '#src/market/markets.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { WakeupSource } from '#src/requests/events/bus.ts'
import type { LeaseProof } from '#src/requests/lease.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { VerifiedChains } from './verifiedChains.ts'

/** What a solver or a relayer works with. */
export type WorkerPorts = ChainPorts & DutyPorts & AccountPorts

type ChainPorts = Readonly<{
  client: ChainClient
  market: SolverMarket
  verifiedChains: VerifiedChains
}>

type DutyPorts = Readonly<{
  store: RequestStore
  bus: WakeupSource
  /** Lease of the chain's duty. `store` refuses writes once it is lost. */
  lease: LeaseProof
}>

type AccountPorts = Runtime &
  Readonly<{
    /** Pays gas and, for the solver, fills. */
    account: Signer
    /** Makes each payment a span. */
    span?: Span | undefined
  }>

/** `now`: milliseconds since 1970. */
export type Runtime = Readonly<{ log: Log; now: () => number }>

export type SolverMarket = MarketSnapshots & PricedMarket & PoolDemand

/** The last market of each chain, of any age, and its currencies. */
export type PricedMarket = Pick<LatestMarkets, 'latest'> & KnownCurrencies

export type SolverLimits = Pick<
  Config['solver'],
  | 'mostPayoutUsd'
  | 'forcesRefunds'
  | 'refundRetryDays'
  | 'maxRefundGas'
  | 'settleAfterSeconds'
  | 'maxRevertedPermitsUsd'
  | 'pegStopSeconds'
>

/** The chain, contracts and account of one solver. */
export type SolverChain = AccountChain &
  Readonly<{
    contracts: ProtocolContracts
    /** The account marks orders as filled in the name of this identity. */
    identity: Address
  }>

export type AccountChain = Readonly<{
  chain: ChainConfig
  /** Address of the account, in lower case. */
  solver: Address
}>

/** The chain and account of one solver. */
export type WorkerChain = OwnChain & Readonly<{ solver: Account }>

/** A chain of any virtual machine. */
export type OwnChain = Readonly<{ chain: Readonly<{ id: ChainId }> }>
