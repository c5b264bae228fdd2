import { parseAbi } from 'viem'
import { toAddress } from '#src/core/units/address.ts'

/** Permit2's address on every chain that has it. @source https://github.com/Uniswap/permit2 */
export const permit2Address = toAddress('0x000000000022d473030f116ddee9f6b43ac78ba3')

/** @source Permit2, SignatureTransfer.sol and EIP712.sol */
export const permit2Abi = parseAbi([
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
  'function nonceBitmap(address owner, uint256 word) view returns (uint256)',
  'function invalidateUnorderedNonces(uint256 word, uint256 mask)',
])
