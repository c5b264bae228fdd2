import type { Hex } from 'viem'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import type { Step } from '#src/protocol/steps/step.ts'
import type { AllowancePermit, PayingPermit, Permit } from './permit.ts'
import { permitCall } from './permitCall.ts'

/** The permits that the steps of a quote ask for; undefined if they ask for none. */
export function permitsIn(steps: readonly Pick<Step, 'signature'>[]): QuotedPermits | undefined {
  const permits = steps.flatMap(({ signature }) => (signature === undefined ? [] : [signature]))
  const paying = permits.at(-1)
  if (paying === undefined || !isPaying(paying.permit)) return undefined
  const allowance = permits.map(({ permit }) => permit).find((each) => each.kind === 'eip2612')
  return { paying: paying.permit, allowance, maxCost: paying.maxCost }
}

export type QuotedPermits = Readonly<{
  paying: PayingPermit
  /** The allowance that Permit2 needs first; undefined if it needs none. */
  allowance: AllowancePermit | undefined
  /** Maximum cost of the transaction to the solver, in wei. Undefined if another account sends it. */
  maxCost: bigint | undefined
}>

const isPaying = (permit: Permit): permit is PayingPermit => permit.kind !== 'eip2612'

/**
 * The transaction that executes a user's signed permits.
 * @param allowanceSignature undefined if the allowance already exists
 * @returns undefined if the length of a signature is invalid for its kind
 */
export function signedCall(
  { paying, allowance }: QuotedPermits,
  signature: Hex,
  allowanceSignature: Hex | undefined,
): TransactionCall | undefined {
  if (allowance === undefined || allowanceSignature === undefined)
    return permitCall(paying, signature)
  return permitCall(paying, signature, { permit: allowance, signature: allowanceSignature })
}
