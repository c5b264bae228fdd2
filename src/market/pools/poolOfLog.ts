import type { Hex, Log } from 'viem'
import { type PoolId, toManagedPoolId } from '#src/core/pools/poolIdentity.ts'
import { toAddress } from '#src/core/units/address.ts'
import { marketKinds } from '#src/market/kinds/kinds.ts'

/** The topics of pool events that a manager contract emits, with the pool's id as the first indexed field. */
const managedTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { isManaged, events }]) => (isManaged ? [...events.keys()] : [])),
)

/** The id of the pool that a pool event concerns: the id in a manager's event, else the emitting contract. */
export function poolOfLog({
  address,
  topics: [topic, id],
}: Pick<Log, 'address' | 'topics'>): PoolId {
  return managedTopics.has(topic) && id !== undefined ? toManagedPoolId(id) : toAddress(address)
}
