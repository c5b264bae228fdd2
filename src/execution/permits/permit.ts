import type { Hex } from 'viem'
import type { TokenDomain } from '#src/contracts/tokenDomain.ts'
import type { RouterCall } from '#src/execution/calls/routerCalls.ts'
import type { Address } from '#src/units/address.ts'
import type { ChainId } from '#src/units/chainId.ts'

/** What the router runs with the payer's currency. The payer's signature binds all of it. */
export type SignedRun = Readonly<{
  /** The only account that may send it. */
  relayer: Address
  approvalProxy: Address
  calls: readonly RouterCall[]
  /** Receives what is left of the native currency. */
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
    /** First block timestamp at which it is void, in seconds since 1970. */
    validBefore: number
    run: SignedRun
  }>

/** A transfer by Permit2 to the router. */
export type Permit2Permit = Payment &
  Readonly<{
    kind: 'permit2'
    /** Any number: Permit2 keeps one bit for each. */
    nonce: bigint
    /** Last block timestamp at which it is good, in seconds since 1970. */
    deadline: number
    run: SignedRun
  }>

/** An allowance of Permit2 by EIP-2612. Alone it moves nothing. */
export type AllowancePermit = Payment &
  Readonly<{
    kind: 'eip2612'
    domain: TokenDomain
    /** The number of permits that the payer has used of this currency. */
    nonce: bigint
    deadline: number
  }>

/** A permit that pays. */
export type PayingPermit = TransferPermit | Permit2Permit

export type Permit = PayingPermit | AllowancePermit

/** Last block timestamp at which a permit is good, in seconds since 1970. */
export const lastSecondOf = (permit: Permit): number =>
  permit.kind === 'eip3009' ? permit.validBefore - 1 : permit.deadline
