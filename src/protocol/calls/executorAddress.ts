import {
  concatHex,
  encodeAbiParameters,
  getContractAddress,
  getCreate2Address,
  type Hex,
  keccak256,
  parseAbiParameters,
} from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'

const accountAndId = parseAbiParameters('address account, bytes32 id')

/**
 * Address of the executor that makes the calls of one run: a clone (EIP-1167) that the router deploys by CREATE2.
 * @source Router.sol, executorOf
 */
export function executorAddress(router: Address, account: Address, id: Hex): Address {
  // The router's constructor deploys the implementation: its first and only CREATE.
  const implementation = getContractAddress({ from: router, nonce: 1n })
  const bytecode = concatHex([
    '0x3d602d80600a3d3981f3363d3d373d3d3d363d73',
    implementation,
    '0x5af43d82803e903d91602b57fd5bf3',
  ])
  const salt = keccak256(encodeAbiParameters(accountAndId, [account, id]))
  return toAddress(getCreate2Address({ from: router, salt, bytecode }))
}
