import { readAuthority } from '#src/chains/read/readAuthority.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SolverRequest } from '#src/requests/state/solverRequest.ts'
import type { Authorization } from '#src/units/authorization.ts'
import { effectOf } from '#src/units/authorization.ts'

/** A request that may be filled, with what became of its first fill. */
type Filling = Readonly<{ request: Pick<SolverRequest, 'fill'>; reverted: unknown }>

/**
 * The authorizations of an order that its fill has to apply: those that stand already are left out. `stale` if the chain
 * would skip one, as its account has another nonce or code: the calls would then meet an account without the code that
 * they are for. Undefined if there is nothing to apply: a fill that reverted has left its authorizations standing.
 * @throws what the RPC throws
 */
export async function toApply(
  client: Pick<ChainClient, 'ask'>,
  { request, reverted }: Filling,
): Promise<readonly Authorization[] | 'stale' | undefined> {
  return reverted === undefined ? leftToApply(client, request.fill.authorizationList) : undefined
}

/** Those of the authorizations that a transaction still has to apply, as `toApply`. */
export async function leftToApply(
  client: Pick<ChainClient, 'ask'>,
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
