import { decodeErrorResult, type Hex, parseAbi } from 'viem'
import { approvalProxy as proxyArtifact } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { router as routerArtifact } from '#src/protocol/contracts/artifacts/router.ts'

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

const abi = [...proxyArtifact.abi, ...routerArtifact.abi, ...foreignErrors]

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
    const name: string = decodeErrorResult({ abi, data }).errorName
    // A reason as text. The node's message contains it.
    return name === 'Error' ? undefined : name
  } catch {
    return undefined
  }
}
