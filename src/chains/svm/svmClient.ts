import { type ChainProbe, WrongChainError } from '#src/chains/rpc/chainProbe.ts'
import {
  createEndpoints,
  type EndpointRpcs,
  type RpcStatistics,
} from '#src/chains/rpc/endpoints.ts'
import type { ChainConfig } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import { parseGenesis, parseSlot } from './svmAnswers.ts'
import { createSvmRpc, type SvmRpc } from './svmRpc.ts'

type SvmClientConfig = Pick<ChainConfig, 'id' | 'displayName' | 'rpcUrls'> &
  Partial<Pick<ChainConfig, 'sendUrls' | 'rpcLimits'>> &
  Readonly<{
    /** Names the cluster. An endpoint of another one is not used. */
    genesisHash: Blockhash
  }>

/** One RPC URL of a chain, asked alone. */
export type SvmEndpoint = SvmRpc & Omit<EndpointRpcs['endpoints'][number], 'ask'>

/**
 * The requests to a Solana chain, over all its RPC URLs. A healthy endpoint is asked first, in configured order. Its
 * genesis hash is checked before its first use and after every failure. If no endpoint answers, every request throws
 * RpcUnavailableError; if one refuses and none answers, RpcRefusedError.
 */
export type SvmClient = SvmRpc &
  RpcStatistics &
  Readonly<{
    /** Each URL of `rpcUrls` alone, in configured order, for answers that several of them must give. */
    endpoints: readonly SvmEndpoint[]
    /** Ends all requests. Later ones throw RpcUnavailableError. */
    close: () => void
  }>

/** Connects at the first request. `timeoutSeconds` limits one request to one URL. */
export function createSvmClient(
  config: SvmClientConfig,
  log: Log,
  {
    timeoutSeconds = 10,
    span,
  }: Readonly<{ timeoutSeconds?: number; span?: Span | undefined }> = {},
): SvmClient {
  const { rpcUrls, sendUrls = rpcUrls, genesisHash } = config
  const probe = svmProbe(genesisHash)
  const all = createEndpoints(config, log, { timeoutSeconds, span, probe })
  return {
    ...createSvmRpc(config, { read: all.askOf(rpcUrls), send: all.askOf(sendUrls) }),
    endpoints: all.endpoints.map(({ ask, ...endpoint }) => ({
      ...endpoint,
      ...createSvmRpc(config, { read: ask, send: ask }),
    })),
    usage: all.usage,
    requests: all.requests,
    failures: all.failures,
    close: all.close,
  }
}

const svmProbe = (genesisHash: Blockhash): ChainProbe => ({
  identity: { method: 'getGenesisHash', params: [] },
  checkIdentity: (answer) => {
    const found = parseGenesis(answer)
    if (found !== genesisHash)
      throw new WrongChainError(`its genesis hash is ${found}, not ${genesisHash}`)
  },
  height: { method: 'getSlot', params: [{ commitment: 'finalized' }] },
  parseHeight: parseSlot,
})
