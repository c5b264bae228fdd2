import {
  compactSignatureToSignature,
  decodeErrorResult,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  hexToBigInt,
  parseAbi,
  parseCompactSignature,
  parseSignature,
  prepareEncodeFunctionData,
  size,
} from 'viem'
import type { CurrencyAmount, Price } from '#src/core/pricing/price.ts'
import { type Address, evmAddress } from '#src/core/units/address.ts'
import type { TransactionCall } from '#src/protocol/calls/transactionCall.ts'
import { depositRun, type RouterRun, swapRun } from '#src/protocol/calls/userCall.ts'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import type {
  AllowancePermit,
  PayingPermit,
  Permit,
  Permit2Permit,
  TransferPermit,
} from '#src/protocol/permit.ts'
import type { PermitContext, SignatureItem, Step, StepContext } from '#src/protocol/step.ts'

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

/** The signatures that pay for a price, in order. The last one pays. One before it gives Permit2 the allowance. */
export function quotedPermits(
  price: Price,
  context: StepContext,
  terms: PermitContext,
): readonly SignatureItem[] {
  const [origin] = price.pricedOrigins
  const { orderId } = context
  const paid = origin?.leg.input ?? price.currencyIn
  const run =
    origin === undefined || orderId === undefined
      ? swapRun(price, context)
      : depositRun(origin, context, orderId)
  const api = origin === undefined ? 'user-swap' : 'swap'
  const { relayCost } = price
  return permitsFor({ payer: evmAddress(price.order.user), paid, run }, context, terms).map(
    (permit) => ({
      permit,
      api,
      ...(permit.kind !== 'eip2612' && relayCost !== undefined && { maxCost: relayCost.amount }),
    }),
  )
}

type Payment = Readonly<{ payer: Address; paid: CurrencyAmount; run: RouterRun }>

function permitsFor(
  { payer, paid: { currency, amount }, run: { calls, leftoversTo, nftsTo } }: Payment,
  { contracts: { approvalProxy }, requestId }: StepContext,
  { kind, relayer, domain, allowanceNonce, permit2Nonce, lastSecond }: PermitContext,
): readonly Permit[] {
  const run = {
    relayer,
    approvalProxy,
    calls,
    refundTo: leftoversTo,
    nftRecipient: nftsTo,
    metadata: requestId,
  }
  const payment = {
    chainId: currency.chainId,
    currency: evmAddress(currency.address),
    payer,
    amount,
  }
  if (kind === 'eip3009') {
    if (domain === undefined) throw new Error(`${currency.symbol} has no domain for signatures`)
    return [{ ...payment, kind, domain, validBefore: lastSecond + 1, run }]
  }
  const transfer: Permit = { ...payment, kind, nonce: permit2Nonce, deadline: lastSecond, run }
  if (allowanceNonce === undefined || domain === undefined) return [transfer]
  return [
    { ...payment, kind: 'eip2612', domain, nonce: allowanceNonce, deadline: lastSecond },
    transfer,
  ]
}

/** Errors of Permit2 and of OpenZeppelin's currencies. @source Permit2, SignatureVerification.sol, PermitErrors.sol */
const foreignErrors = parseAbi([
  'error InvalidSigner()',
  'error InvalidSignature()',
  'error InvalidSignatureLength()',
  'error InvalidContractSignature()',
  'error InvalidNonce()',
  'error SignatureExpired(uint256 deadline)',
  'error ERC2612ExpiredSignature(uint256 deadline)',
  'error ERC2612InvalidSigner(address signer, address owner)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
  'error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)',
])

const errorsAbi = [...proxyArtifact.abi, ...routerArtifact.abi, ...foreignErrors]

const texts: Readonly<Record<string, string>> = {
  InvalidSigner: 'the signature is not the user’s, or not of this quote',
  InvalidSignature: 'the signature has a wrong format',
  InvalidSignatureLength: 'the signature has a wrong length',
  InvalidContractSignature: 'the user’s contract wallet does not accept the signature',
  InvalidNonce: 'the nonce of the signature was used or cancelled',
  SignatureExpired: 'the signature has expired',
  ERC2612ExpiredSignature: 'the signature has expired',
  ERC2612InvalidSigner: 'the signature is not the user’s, or not of this quote',
  ERC20InsufficientAllowance: 'the allowance of Permit2 is too low',
}

/** `reason`: the node's message. */
type Revert = Readonly<{ reason: string | undefined; data: Hex | undefined }>

/** The reason why a simulated transaction reverts, as a phrase. */
export function revertReason({ reason, data }: Revert): string {
  // Permit2 gives no other reason. @source Permit2, solmate SafeTransferLib
  if (reason?.includes('TRANSFER_FROM_FAILED')) return 'the allowance of Permit2 is too low'
  const name = errorIn(data)
  if (name === undefined) return `the transaction would revert (${reason ?? 'without a reason'})`
  return texts[name] ?? `the transaction would revert with ${name}`
}

function errorIn(data: Hex | undefined): string | undefined {
  if (data === undefined || data === '0x') return undefined
  try {
    const name: string = decodeErrorResult({ abi: errorsAbi, data }).errorName
    // A reason as text. The node's message contains it.
    return name === 'Error' ? undefined : name
  } catch {
    return undefined
  }
}

/** Reads the payer's balance of the permit's currency. */
export const balanceRead = ({ currency, payer }: Permit): TransactionCall =>
  readOf(currency, encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [payer] }))

/** Reads the payer's allowance for Permit2 in the permit's currency. */
export const allowanceRead = ({ currency, payer }: Permit): TransactionCall =>
  readOf(
    currency,
    encodeFunctionData({
      abi: erc20Abi,
      functionName: 'allowance',
      args: [payer, permit2Address],
    }),
  )

const readOf = (to: TransactionCall['to'], data: Hex): TransactionCall => ({ to, data, value: 0n })

/** The amount in the answer of such a read; undefined if the answer contains none. */
export const amountIn = (data: Hex | undefined): bigint | undefined =>
  data === undefined || size(data) !== 32 ? undefined : hexToBigInt(data)
