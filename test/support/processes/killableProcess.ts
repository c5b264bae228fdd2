import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'

/** A kill just before or just after the operation with this index. Operations are saves and sent transactions. */
export type Kill = Readonly<{ operations: number; when: 'before' | 'after' }>

/**
 * The store and the client of a process that is killed at one operation. Earlier operations persist. Every later
 * call fails and has no effect.
 */
export function killableProcess(
  { store, client }: Readonly<{ store: RequestStore; client: ChainClient }>,
  { operations, when }: Kill,
) {
  const killed = Promise.withResolvers<void>()
  let left = operations
  let isKilled = false

  function kill(): never {
    isKilled = true
    killed.resolve()
    throw new Error('The process was killed')
  }

  async function run<Value>(call: () => Promise<Value>, isOperation: boolean): Promise<Value> {
    if (isKilled) return kill()
    if (!isOperation) return call()
    const isLast = left === 0
    left -= 1
    if (isLast && when === 'before') kill()
    const value = await call()
    if (isLast || isKilled) return kill()
    return value
  }

  const ask: ChainClient['ask'] = (request, parse, signal) =>
    run(() => client.ask(request, parse, signal), request.method === 'eth_sendRawTransaction')
  const calls = Object.entries(store).map(([name, call]) => [
    name,
    (...args: never[]) =>
      run(() => (call as (...values: never[]) => Promise<unknown>)(...args), name === 'save'),
  ])
  return {
    store: Object.fromEntries(calls) as RequestStore,
    client: { ...client, ask },
    killed: killed.promise,
  }
}
