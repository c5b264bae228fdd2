import type { Ask } from './failover.ts'

/** One RPC URL of a chain, asked alone. */
export type SoleEndpoint = Readonly<{
  /** Name of the endpoint without keys, for the log: its position and its URL. */
  rpc: string
  isBackingOff: () => boolean
  ask: Ask
}>

/** `notYet`: the endpoint cannot answer yet, for example because it has not reached the block. */
export type Vote = 'yes' | 'no' | 'notYet'

export type Agreement = Readonly<{
  isAgreed: boolean
  /** The votes so far, by endpoint. */
  votes: ReadonlyMap<string, Vote>
}>

/**
 * Asks all endpoints in parallel until `needed` of them have voted yes. An endpoint that fails has no vote. An endpoint
 * that backs off is not asked. Never throws.
 */
export async function askForAgreement<Endpoint extends Omit<SoleEndpoint, 'ask'>>(
  endpoints: readonly Endpoint[],
  needed: number,
  vote: (endpoint: Endpoint) => Promise<Vote>,
): Promise<Agreement> {
  const votes = new Map<string, Vote>()
  const { promise: agreed, resolve } = Promise.withResolvers<void>()
  const isAgreed = () => [...votes.values()].filter((each) => each === 'yes').length >= needed
  const asked = endpoints
    .filter((endpoint) => !endpoint.isBackingOff())
    .map(async (endpoint) => {
      votes.set(endpoint.rpc, await vote(endpoint))
      if (isAgreed()) resolve()
    })
  await Promise.race([agreed, Promise.allSettled(asked)])
  return { isAgreed: isAgreed(), votes: new Map(votes) }
}
