import {
  compactSignatureToSignature,
  encodeFunctionData,
  type Hex,
  parseAbi,
  parseCompactSignature,
  parseSignature,
  prepareEncodeFunctionData,
  size,
} from 'viem'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { permit2Address } from '#src/protocol/contracts/permit2.ts'
import type {
  AllowancePermit,
  PayingPermit,
  Permit,
  Permit2Permit,
  TransferPermit,
} from '#src/protocol/permit.ts'
import type { Step } from '#src/protocol/step.ts'

const { abi } = proxyArtifact
const receive = prepareEncodeFunctionData({ abi, functionName: 'permit3009TransferAndMulticall' })
const transfer = prepareEncodeFunctionData({ abi, functionName: 'permit2TransferAndMulticall' })
const allowAndTransfer = prepareEncodeFunctionData({
  abi,
  functionName: 'permitAndPermit2TransferAndMulticall',
})
const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

/** An allowance with its signature. */
type SignedAllowance = Readonly<{ permit: AllowancePermit; signature: Hex }>

/**
 * The relayer's transaction that executes a paying permit. It first sets the allowance that Permit2 needs, if any.
 * @returns undefined if the length of a signature is invalid for its kind
 */
export const permitCall = (
  permit: PayingPermit,
  signature: Hex,
  allowance?: SignedAllowance,
): TransactionCall | undefined =>
  permit.kind === 'eip3009'
    ? transferCall(permit, signature)
    : permit2Call(permit, signature, allowance)

function transferCall(permit: TransferPermit, signature: Hex): TransactionCall | undefined {
  const parts = partsOf(signature)
  if (parts === undefined) return undefined
  const { payer, currency, amount, validBefore, run } = permit
  const signed = {
    from: payer,
    value: amount,
    validAfter: 0n,
    validBefore: BigInt(validBefore),
    ...parts,
  }
  const args = [
    ...([[signed], [currency]] as const),
    ...([run.calls, run.refundTo, run.nftRecipient, run.metadata] as const),
  ] as const
  return callOf(permit, encodeFunctionData({ ...receive, args }))
}

function permit2Call(
  permit: Permit2Permit,
  signature: Hex,
  allowance: SignedAllowance | undefined,
): TransactionCall | undefined {
  const { payer, currency, amount, nonce, deadline, run } = permit
  const terms = {
    permitted: [{ token: currency, amount }],
    nonce,
    deadline: BigInt(deadline),
  }
  const args = [
    ...([payer, terms, run.calls, run.refundTo, run.nftRecipient] as const),
    ...([run.metadata, signature] as const),
  ] as const
  if (allowance === undefined) return callOf(permit, encodeFunctionData({ ...transfer, args }))
  const parts = partsOf(allowance.signature)
  if (parts === undefined) return undefined
  const allowed = {
    token: allowance.permit.currency,
    owner: allowance.permit.payer,
    value: allowance.permit.amount,
    nonce: allowance.permit.nonce,
    deadline: BigInt(allowance.permit.deadline),
    ...parts,
  }
  const data = encodeFunctionData({ ...allowAndTransfer, args: [allowed, ...args] })
  return callOf(permit, data)
}

/**
 * The call of the currency that uses an allowance alone. Anyone may send it.
 * @returns undefined if the length of the signature is invalid
 */
export function allowanceCall({ permit, signature }: SignedAllowance): TransactionCall | undefined {
  const parts = partsOf(signature)
  if (parts === undefined) return undefined
  const { payer, currency, amount, deadline } = permit
  const args = [
    ...([payer, permit2Address, amount, BigInt(deadline)] as const),
    ...([parts.v, parts.r, parts.s] as const),
  ] as const
  const data = encodeFunctionData({ abi: permitAbi, functionName: 'permit', args })
  return { to: currency, data, value: 0n }
}

/**
 * The bytes that a signature can stand for, the likeliest first. Hardware wallets give `v` as 0 or 1: keys sign with 27
 * or 28. Permit2 hands a contract the bytes as they are, so these may be meant.
 */
export function readingsOf(kind: Permit['kind'], signature: Hex): readonly [Hex, ...Hex[]] {
  const parts = size(signature) === 65 ? partsOf(signature) : undefined
  if (parts === undefined) return [signature]
  const usual: Hex = `${signature.slice(0, -2) as Hex}${parts.v.toString(16)}`
  return kind !== 'permit2' || usual === signature ? [usual] : [usual, signature]
}

const callOf = ({ run }: PayingPermit, data: Hex): TransactionCall => ({
  to: run.approvalProxy,
  data,
  value: 0n,
})

type Parts = Readonly<{ v: number; r: Hex; s: Hex }>

/** The parts of an ECDSA signature of 65 bytes, or of 64 (EIP-2098). Undefined for another length or an invalid v. */
function partsOf(signature: Hex): Parts | undefined {
  if (size(signature) === 64) {
    const { r, s, yParity = 0 } = compactSignatureToSignature(parseCompactSignature(signature))
    return { r, s, v: 27 + yParity }
  }
  if (size(signature) !== 65) return undefined
  const last = Number(`0x${signature.slice(-2)}`)
  if (![0, 1, 27, 28].includes(last)) return undefined
  const { r, s, yParity } = parseSignature(signature)
  return { r, s, v: 27 + yParity }
}

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
