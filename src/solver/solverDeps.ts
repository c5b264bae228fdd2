import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { ChainConfig, Config } from '#src/config/config.ts'
import type { Signer } from '#src/config/keys/signer.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { Address } from '#src/core/units/address.ts'
import type {
  KnownCurrencies,
  LatestMarkets,
  MarketSnapshots,
  PoolDemand,
} from '#src/market/markets.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { Lease } from '#src/requests/lease.ts'
import type { OpenTerms, QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { DepositChecks } from './deposits/depositChecks.ts'
import type { FillChecks } from './fills/fillChecks.ts'
import type { VerifiedChains } from './verifiedChains.ts'

export type SolverDeps = Readonly<{
  client: ChainClient
  log: Log
  store: RequestStore
  bus: Pick<Bus, 'listen'>
  /** Lease of the chain's solver. `store` refuses writes once it is lost. */
  lease: Pick<Lease, 'confirm'>
  verifiedChains: VerifiedChains
  depositChecks: DepositChecks
  fillChecks: FillChecks
  market: MarketSnapshots & LatestMarkets & KnownCurrencies & PoolDemand
  /** Quotes payments to open deposit addresses. */
  requote: Requote
  /** Pays fills and gas. */
  account: Signer
  /** Signs payouts as the allocator of the chain's depository. Default: `account`. */
  allocator?: Signer
  /** Milliseconds since 1970. */
  now: () => number
  /** Makes each payment a span. */
  span?: Span | undefined
}>

/**
 * Quotes a payment to an open deposit address on the current market, without any RPC call. Returns the request of the
 * payment, and stores nothing.
 * @param parent the request of the address
 * @param at milliseconds since 1970
 * @throws AppError as `quote` does
 */
type Requote = (
  parent: SolverRequest & Readonly<{ open: OpenTerms }>,
  payment: Pick<Deposit, 'amount' | 'depositId'>,
  at: number,
) => QuotedRequest

export type SolverConfig = Readonly<{
  chain: ChainConfig
  limits: Pick<
    Config['solver'],
    | 'mostPayoutUsd'
    | 'forcesRefunds'
    | 'refundRetryDays'
    | 'maxRefundGas'
    | 'settleAfterSeconds'
    | 'maxRevertedPermitsUsd'
    | 'pegStopSeconds'
  >
  identity: Address
}>

/** The chain, contracts and account of one solver. */
export type SolverChain = Readonly<{
  chain: ChainConfig
  contracts: ProtocolContracts
  /** Address of the account, in lower case. */
  solver: Address
  /** The account marks orders as filled in the name of this identity. */
  identity: Address
}>
