import type { Hex, Log } from 'viem'
import { type PoolId, toManagedPoolId } from '#src/pools/poolIdentity.ts'
import { toAddress } from '#src/units/address.ts'
import { marketKinds } from './kinds/kinds.ts'

/** The events of pools that a manager emits for them, with the id of the pool as their first field. */
const managedTopics: ReadonlySet<Hex | undefined> = new Set(
  marketKinds.flatMap(([, { isManaged, events }]) => (isManaged ? [...events.keys()] : [])),
)

/** The pool that a log concerns, if it is the event of one: the contract that emitted it, or the one that it names. */
export function poolOfLog({
  address,
  topics: [topic, id],
}: Pick<Log, 'address' | 'topics'>): PoolId {
  return managedTopics.has(topic) && id !== undefined ? toManagedPoolId(id) : toAddress(address)
}
