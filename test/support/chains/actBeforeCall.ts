import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

/** A client that runs `act` just before its first matching call. By default, it matches a sent transaction. */
export function actBeforeCall(
  client: ChainClient,
  act: (param: unknown) => Promise<unknown>,
  isIt: (method: string, param: unknown) => boolean = isSend,
): ChainClient {
  let isFirst = true
  const asked: ChainClient['ask'] = async (request, parse, signal) => {
    const [param] = (request.params ?? []) as readonly unknown[]
    if (isFirst && isIt(request.method, param)) {
      isFirst = false
      await act(param)
    }
    return client.ask(request, parse, signal)
  }
  return { ...client, ask: asked }
}

const isSend = (method: string) => method === 'eth_sendRawTransaction'
