import { readAuthority } from '#src/chains/read/readAuthority.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { Authorization } from '#src/core/units/authorization.ts'
import { effectOf } from '#src/core/units/authorization.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'

/** A request that may be filled; `reverted` is set if a fill of it has reverted. */
type Filling = Readonly<{ request: Pick<SolverRequest, 'fill'>; reverted: unknown }>

/**
 * The authorizations of an order that its fill must apply, without those already in effect. `stale` if the chain would
 * skip one because its account has another nonce or code: the order's calls would then run without the code that they
 * need. Undefined if none is left, as after a reverted fill, whose authorizations stay in effect.
 * @throws what the RPC throws
 */
export async function toApply(
  client: Rpc,
  { request, reverted }: Filling,
): Promise<readonly Authorization[] | 'stale' | undefined> {
  return reverted === undefined ? leftToApply(client, request.fill.authorizationList) : undefined
}

/** The authorizations that a transaction must still apply. `stale` and undefined as in `toApply`. */
export async function leftToApply(
  client: Rpc,
  authorizationList: readonly Authorization[] = [],
): Promise<readonly Authorization[] | 'stale' | undefined> {
  if (authorizationList.length === 0) return undefined
  const effects = await Promise.all(
    authorizationList.map(async (each) =>
      effectOf(each, await readAuthority(client, each.authority)),
    ),
  )
  if (effects.includes('stale')) return 'stale'
  const left = authorizationList.filter((_, at) => effects[at] === 'applies')
  // An empty list is no valid transaction.
  return left.length === 0 ? undefined : left
}
