import type { ContractReader } from '#src/chains/rpc/chainClient.ts'
import type { Address } from '#src/core/units/address.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'

type Parts = Readonly<{
  contracts: Pick<ProtocolContracts, 'depository' | 'approvalProxy'>
  relayer: Address
  /** The solver marks orders as filled in the name of this identity. */
  identity: Address
}>

/**
 * The relayer's roles in our contracts on the chain, as text for operators. It must have none: callers choose its
 * calldata.
 * @throws what the RPC throws
 */
export async function readRelayerRoles(
  client: ContractReader,
  { contracts, relayer, identity }: Parts,
): Promise<readonly string[]> {
  const role = (functionName: 'owner' | 'pendingOwner' | 'allocator' | 'guardian') =>
    client.readContract({ address: contracts.depository, abi: depository.abi, functionName })
  const [owner, pendingOwner, allocator, guardian, payeeSince, isKey] = await Promise.all([
    role('owner'),
    role('pendingOwner'),
    role('allocator'),
    role('guardian'),
    client.readContract({
      address: contracts.depository,
      abi: depository.abi,
      functionName: 'payeeSince',
      args: [relayer],
    }),
    client.readContract({
      address: contracts.approvalProxy,
      abi: approvalProxy.abi,
      functionName: 'isKey',
      args: [identity, relayer],
    }),
  ])
  const holders = {
    'owner of the depository': owner,
    'pending owner of the depository': pendingOwner,
    'allocator of the depository': allocator,
    'guardian of the depository': guardian,
  }
  return [
    ...Object.entries(holders)
      .filter(([, holder]) => holder.toLowerCase() === relayer)
      .map(([name]) => name),
    ...(payeeSince === 0n ? [] : ['payee of the depository']),
    ...(isKey ? ['key of solver.identity'] : []),
  ]
}
