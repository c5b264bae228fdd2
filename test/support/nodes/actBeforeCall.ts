import type { ChainClient } from '#src/chains/rpc/chainClient.ts'

/**
 * A client that runs `act` just before its first matching call. Other matching calls wait for `act` too. By default, a
 * sent transaction matches.
 */
export function actBeforeCall(
  client: ChainClient,
  act: (param: unknown) => Promise<unknown>,
  isIt: (method: string, param: unknown) => boolean = isSend,
): ChainClient {
  let acted: Promise<unknown> | undefined
  const asked: ChainClient['ask'] = async (request, parse, signal) => {
    const [param] = (request.params ?? []) as readonly unknown[]
    if (isIt(request.method, param)) {
      acted ??= act(param)
      await acted
    }
    return client.ask(request, parse, signal)
  }
  return { ...client, ask: asked }
}

const isSend = (method: string) => method === 'eth_sendRawTransaction'
