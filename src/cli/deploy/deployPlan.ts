import {
  concatHex,
  encodeDeployData,
  getContractAddress,
  getCreate2Address,
  type Hex,
  stringToHex,
} from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depositAddressFactory } from '#src/protocol/contracts/artifacts/depositAddressFactory.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { exitSeconds } from '#src/protocol/contracts/protocolContracts.ts'

/**
 * Deploys by CREATE2 from a salt and creation code. It has the same address on every chain.
 * @source https://github.com/Arachnid/deterministic-deployment-proxy
 */
export const deterministicDeployer = toAddress('0x4e59b44847b379578588920ca78fbf26c0b4956c')

const salt = stringToHex('crossquote', { size: 32 })

export type Roles = Readonly<{
  owner: Address
  allocator: Address
  /** The zero address: nobody can pause payouts. */
  guardian: Address
  /** The first account that settlements pay. */
  payee: Address
}>

/** @source src/protocol/contracts/artifacts */
export type Artifact = Readonly<{
  deployedBytecode: Hex
  immutables: readonly (readonly [start: number, length: number])[]
}>

type Deployment = Readonly<{
  address: Address
  artifact: Artifact
  /** Calldata for the deterministic deployer. */
  data: Hex
}>

/**
 * The addresses of our contracts. They depend only on the code and the roles, so they are equal on all chains. The
 * approval proxy deploys the router, the router the implementation of its executors, and the factory that of deposit
 * addresses.
 */
export function planDeployment({ owner, allocator, guardian, payee }: Roles) {
  // The owner sets the chain's name and the outflow limits: they differ from chain to chain, and would give each
  // depository its own address.
  const args = [owner, allocator, guardian, [payee], BigInt(exitSeconds), '', []] as const
  const placedDepository = place(depository, encodeDeployData({ ...depository, args }))
  return {
    depository: placedDepository,
    approvalProxy: place(
      approvalProxy,
      encodeDeployData({ ...approvalProxy, args: [placedDepository.address] }),
    ),
    depositAddressFactory: place(
      depositAddressFactory,
      encodeDeployData({ ...depositAddressFactory, args: [placedDepository.address] }),
    ),
  } as const satisfies Record<string, Deployment>
}

/** The router that an approval proxy deploys in its constructor: its first and only CREATE. */
export const routerOf = (approvalProxy: Address): Address =>
  toAddress(getContractAddress({ from: approvalProxy, nonce: 1n }))

const place = (artifact: Artifact, creationCode: Hex): Deployment => ({
  artifact,
  address: toAddress(
    getCreate2Address({ from: deterministicDeployer, salt, bytecode: creationCode }),
  ),
  data: concatHex([salt, creationCode]),
})
