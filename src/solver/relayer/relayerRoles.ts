import type { ContractReader } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import type { ProtocolContracts } from '#src/protocol/contracts/protocolContracts.ts'

type Ports = Readonly<{
  log: Log
  clients: ReadonlyMap<ChainId, ContractReader>
}>

/**
 * Refuses a relayer that has a role in our contracts on any chain, because callers choose its calldata. A chain that
 * does not answer does not delay the start: the relayer reads its roles again before it sends calls.
 * @throws Error that names the roles
 */
export async function checkRelayer(
  { log, clients }: Ports,
  { relayer, solver, chains }: Config,
): Promise<void> {
  if (relayer === undefined) return
  const identity = solver.identity ?? solver.address
  const found = await Promise.all(
    chains.map(async ({ id, displayName, contracts, rpcUrls }) => {
      const client = clients.get(id)
      if (client === undefined || contracts === undefined || rpcUrls.length === 0) return []
      try {
        const parts = { contracts, relayer: relayer.address, identity }
        const roles = await readRelayerRoles(client, parts)
        return roles.map((role) => `${role} on ${displayName}`)
      } catch (error) {
        const facts = { chainId: id, reason: reasonOf(error) }
        log.warn(facts, 'Cannot read yet whether the relayer has a role on the chain')
        return []
      }
    }),
  )
  const roles = found.flat()
  if (roles.length > 0)
    throw new Error(
      `The relayer ${relayer.address} is ${roles.join(', ')}: callers would act in its name. Name an account that has no role.`,
    )
}

type Parts = Readonly<{
  contracts: ProtocolContracts
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
