import { createPublicClient, custom, defineChain, type PublicClient, type Transport } from 'viem'
import type { ChainConfig } from '#src/config.ts'
import { AppError } from '#src/errors.ts'
import type { Log } from '#src/log.ts'
import { type Ask, createFailover } from './failover.ts'
import { watchHeads } from './headSocket.ts'
import { createRedactor } from './redact.ts'
import { checkAnswer } from './rpcAnswer.ts'
import { createRpcUrl } from './rpcUrl.ts'

/**
 * viem's client of one chain over all its RPC URLs. When none serves, every action throws
 * RpcUnavailableError or RpcRefusedError as it is, not inside an error of viem's.
 */
export type ChainClient = PublicClient<Transport, ReturnType<typeof toViemChain>> &
  Readonly<{
    ask: Ask
    /** JSON-RPC requests sent so far, by method: each try at each URL, and the checks of chain ids. */
    requests: () => ReadonlyMap<string, number>
    /**
     * Calls `listener` when the WebSocket announces a block (with its number) or comes back after a
     * gap (without); never if the chain has no `wsUrl`. Returns the unsubscribe.
     */
    onHead: (listener: (number?: bigint) => void) => () => void
    /** Ends all requests and sockets; what is asked afterwards throws RpcUnavailableError. */
    close: () => void
  }>

type ClientConfig = Pick<
  ChainConfig,
  'id' | 'displayName' | 'rpcUrls' | 'wsUrl' | 'nativeCurrency' | 'multicall3'
>

/** Connects to nothing yet. `timeoutSeconds` bounds one try at one URL. */
export function createChainClient(
  config: ClientConfig,
  log: Log,
  { timeoutSeconds = 10 }: Readonly<{ timeoutSeconds?: number }> = {},
): ChainClient {
  const { id: chainId, rpcUrls, wsUrl } = config
  const closer = new AbortController()
  const closing = closer.signal
  const redact = createRedactor(wsUrl === undefined ? rpcUrls : [...rpcUrls, wsUrl])
  const sent = new Map<string, number>()
  const count = (method: string) => void sent.set(method, (sent.get(method) ?? 0) + 1)
  const urls = rpcUrls.map((url) =>
    createRpcUrl({ log, closing, redact, count }, { url, chainId, timeoutSeconds }),
  )
  const ask = createFailover({ urls, closing, redact }, { chain: config, timeoutSeconds })

  const client = createPublicClient({
    chain: toViemChain(config),
    cacheTime: 0,
    // A contract could have this server fetch any URL (EIP-3668).
    ccipRead: false,
    transport: custom(
      {
        request: async ({ method, params }) =>
          (await ask({ method, params }, (answer) => checkAnswer(method, answer) ?? undefined)) ??
          null,
      },
      { retryCount: 0 },
    ),
  })
  const watches = new Set<() => void>()

  return {
    ...client,
    ...surfaceRpcErrors(client),
    ask,
    requests: () => sent,
    onHead: (listener) => {
      if (wsUrl === undefined || closing.aborted) return () => undefined
      const end = watchHeads({ log, redact, count }, { url: wsUrl, chainId }, listener)
      watches.add(end)
      return () => {
        watches.delete(end)
        end()
      }
    },
    close: () => {
      closer.abort()
      for (const end of watches) end()
      watches.clear()
    },
  }
}

/** Without URLs, which viem would put into its messages. */
const toViemChain = ({ id, displayName, nativeCurrency, multicall3 }: ClientConfig) => {
  const { name, symbol, decimals } = nativeCurrency
  return defineChain({
    id,
    name: displayName,
    nativeCurrency: { name, symbol, decimals },
    rpcUrls: { default: { http: [] } },
    contracts: { multicall3: { address: multicall3 } },
  })
}

/** viem wraps what its transport throws, differently in each action: our own error is taken out again. */
function surfaceRpcErrors<Actions extends object>(actions: Actions): Partial<Actions> {
  const surfaced = Object.entries(actions).flatMap(([name, action]) => {
    if (typeof action !== 'function' || name === 'extend') return []
    const act = (...args: unknown[]) => {
      const result: unknown = action(...args)
      return result instanceof Promise ? result.catch(throwInner) : result
    }
    return [[name, act]]
  })
  return Object.fromEntries(surfaced)
}

function throwInner(error: unknown): never {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof AppError) throw cause
  throw error
}
