import type { ContractReader } from '#src/chains/rpc/chainClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import { readRelayerRoles } from './relayerRoles.ts'

type Deps = Readonly<{
  log: Pick<Log, 'warn'>
  clients: ReadonlyMap<ChainId, ContractReader>
}>

/**
 * Refuses a relayer that has a role in our contracts on any chain, because callers choose its calldata. A chain that
 * does not answer does not delay the start: the relayer reads its roles again before it sends calls.
 * @throws Error that names the roles
 */
export async function checkRelayer(
  { log, clients }: Deps,
  { relayer, solver, chains }: Pick<Config, 'relayer' | 'solver' | 'chains'>,
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
