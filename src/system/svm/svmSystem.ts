import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { createSvmMarketChain } from '#src/market/svm/svmMarketChain.ts'
import type { SvmMarketPorts } from '#src/market/svm/svmMarketFollower.ts'

/** The Solana chains of a process. */
export type SvmSystem = Readonly<{
  clients: ReadonlyMap<ChainId, SvmClient>
  /** @param ports.clients those of the EVM chains, for price feeds */
  marketChains: (
    ports: Omit<SvmMarketPorts, 'client'> &
      Readonly<{ clients: ReadonlyMap<ChainId, ChainClient> }>,
  ) => readonly OtherChain[]
  /** Ends all requests. */
  close: () => void
}>

/** Connects at the first request. */
export function createSvmSystem(
  { log, span }: Readonly<{ log: Log; span?: Span | undefined }>,
  config: Pick<Config, 'svmChains' | 'assets' | 'solver'>,
): SvmSystem {
  const connected = config.svmChains.map((chain) => ({
    chain,
    client: createSvmClient(chain, log, { span }),
  }))
  return {
    clients: new Map(connected.map(({ chain, client }) => [chain.id, client])),
    marketChains: (ports) =>
      connected.map(({ chain, client }) =>
        createSvmMarketChain({ ...ports, client }, chain, config),
      ),
    close: () => {
      for (const { client } of connected) client.close()
    },
  }
}
