import type { Hex } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RouterCall } from './calls/routerCalls.ts'
import type { TokenDomain } from './contracts/protocolContracts.ts'

/** The router's calls with the payer's currency. The payer's signature covers all of these fields. */
export type SignedRun = Readonly<{
  /** The only account that may send it. */
  relayer: Address
  approvalProxy: Address
  calls: readonly RouterCall[]
  /** Receives the leftovers of native currency. */
  refundTo: Address
  /** Receives NFTs that arrive at an executor. */
  nftRecipient: Address
  /** 32 bytes: the request id. */
  metadata: Hex
}>

type Payment = Readonly<{
  chainId: ChainId
  currency: Address
  payer: Address
  amount: bigint
}>

/** A transfer by EIP-3009 to the approval proxy. Its nonce is the hash of the run. */
export type TransferPermit = Payment &
  Readonly<{
    kind: 'eip3009'
    domain: TokenDomain
    /** First block timestamp at which it is invalid, in seconds since 1970. */
    validBefore: number
    run: SignedRun
  }>

/** A transfer by Permit2 to the router. */
export type Permit2Permit = Payment &
  Readonly<{
    kind: 'permit2'
    /** An arbitrary number: Permit2 stores one bit for each nonce. */
    nonce: bigint
    /** Last block timestamp at which it is valid, in seconds since 1970. */
    deadline: number
    run: SignedRun
  }>

/** An allowance for Permit2 by EIP-2612. By itself it transfers nothing. */
export type AllowancePermit = Payment &
  Readonly<{
    kind: 'eip2612'
    domain: TokenDomain
    /** Number of permits of this currency that the payer has used. */
    nonce: bigint
    /** Last block timestamp at which it is valid, in seconds since 1970. */
    deadline: number
  }>

/** A permit that pays. */
export type PayingPermit = TransferPermit | Permit2Permit

export type Permit = PayingPermit | AllowancePermit

/** Last block timestamp at which a permit is valid, in seconds since 1970. */
export const lastSecondOf = (permit: Permit): number =>
  permit.kind === 'eip3009' ? permit.validBefore - 1 : permit.deadline
