import type { ChainClient } from '#src/chains/chainClient.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'

/** After how many saves and sends a process dies, and whether just before the next one or just after it. */
export type Fate = Readonly<{ operations: number; when: 'before' | 'after' }>

/**
 * A store and a client as a process sees them that is killed at a certain operation: what was done is done,
 * and nothing else ever is.
 */
export function mortal(
  { store, client }: Readonly<{ store: RequestStore; client: ChainClient }>,
  { operations, when }: Fate,
) {
  const death = Promise.withResolvers<void>()
  let left = operations
  let isDead = false

  function die(): never {
    isDead = true
    death.resolve()
    throw new Error('Dead')
  }

  async function live<Value>(run: () => Promise<Value>, counts: boolean): Promise<Value> {
    if (isDead) return die()
    if (!counts) return run()
    const isLast = left === 0
    left -= 1
    if (isLast && when === 'before') die()
    const value = await run()
    if (isLast) die()
    if (isDead) return die()
    return value
  }

  const asked: ChainClient['ask'] = (request, parse, signal) =>
    live(() => client.ask(request, parse, signal), request.method === 'eth_sendRawTransaction')
  const calls = Object.entries(store).map(([name, call]) => [
    name,
    (...args: never[]) =>
      live(() => (call as (...values: never[]) => Promise<unknown>)(...args), name === 'save'),
  ])
  return {
    store: Object.fromEntries(calls) as RequestStore,
    client: { ...client, ask: asked },
    died: death.promise,
  }
}
