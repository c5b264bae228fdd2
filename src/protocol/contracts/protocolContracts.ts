import { parseAbi } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'

/** Our contracts on one chain. */
export type ProtocolContracts = Readonly<{
  depository: Address
  router: Address
  /** Users approve it to transfer their currencies to the router. */
  approvalProxy: Address
  /** Deploys deposit addresses. Absent: the chain offers none. */
  depositAddressFactory?: Address
}>

/** Seconds from a deposit until its depositor can take it back: longer than orders last, by a week for the solver. */
export const exitSeconds = 14 * 86_400

/** Permit2's address on every chain that has it. @source https://github.com/Uniswap/permit2 */
export const permit2Address = toAddress('0x000000000022d473030f116ddee9f6b43ac78ba3')

/** @source Permit2, SignatureTransfer.sol and EIP712.sol */
export const permit2Abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
])

/** What a currency's contract calls itself in the EIP-712 domain of its signatures. */
export type TokenDomain = Readonly<{ name: string; version: string }>
