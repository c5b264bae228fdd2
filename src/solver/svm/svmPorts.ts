import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmSigner } from '#src/protocol/svm/signer.ts'
import type { WakeupSource } from '#src/requests/events/bus.ts'
import type { LeaseProof } from '#src/requests/lease.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { DepositChecks } from '#src/solver/deposits/depositChecks.ts'
import type { FillChecks } from '#src/solver/fills/fillChecks.ts'
import type { Requote } from '#src/solver/payments/openPayments.ts'
import type { Runtime, SolverMarket } from '#src/solver/ports.ts'
import type { VerifiedChains } from '#src/solver/verifiedChains.ts'

/** What a solver of a Solana chain works with. */
export type SvmSolverPorts = Runtime &
  Readonly<{
    client: SvmClient
    store: RequestStore
    bus: WakeupSource
    /** Lease of the chain's duty. `store` refuses writes once it is lost. */
    lease: LeaseProof
    market: SolverMarket
    verifiedChains: VerifiedChains
    depositChecks: DepositChecks
    fillChecks: FillChecks
    /** Quotes payments to open deposit addresses. */
    requote: Requote
    /** Pays fills, fees and rent, and marks orders as filled. */
    account: SvmSigner
    /** Signs payouts of the depository. May be the account. */
    allocator: SvmSigner
  }>

/** A Solana chain, its depository and the solver's accounts there. */
export type SvmSolverChain = Readonly<{
  chain: SvmChainConfig
  /** The depository. */
  program: Pubkey
  solver: Pubkey
  allocator: Pubkey
}>
