import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Config } from '#src/config/config.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import type { Span } from '#src/config/tracing/tracer.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { createSvmMarketChain } from '#src/market/svm/svmMarketChain.ts'
import type { SvmMarketPorts } from '#src/market/svm/svmMarketFollower.ts'
import { createSvmTracker, type SvmTrackerPorts } from '#src/requests/tracker/svm/svmTracker.ts'
import type { Tracker } from '#src/requests/tracker/tracker.ts'

/** The Solana chains of a process. */
export type SvmSystem = Readonly<{
  clients: ReadonlyMap<ChainId, SvmClient>
  /** @param ports.clients those of the EVM chains, for price feeds */
  marketChains: (
    ports: Omit<SvmMarketPorts, 'client'> &
      Readonly<{ clients: ReadonlyMap<ChainId, ChainClient> }>,
  ) => readonly OtherChain[]
  /** The tracker of a chain with a program. */
  createTracker: (
    ports: Omit<SvmTrackerPorts, 'client'>,
    chain: SvmChainConfig,
    isDevnet: boolean,
  ) => Tracker
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
  const clients = new Map(connected.map(({ chain, client }) => [chain.id, client]))
  return {
    clients,
    marketChains: (ports) =>
      connected.map(({ chain, client }) =>
        createSvmMarketChain({ ...ports, client }, chain, config),
      ),
    createTracker: (ports, chain, isDevnet) => {
      const client = clients.get(chain.id)
      if (client === undefined) throw new Error(`Chain ${chain.id} has no client`)
      return createSvmTracker({ ...ports, client }, { chain, isDevnet })
    },
    close: () => {
      for (const { client } of connected) client.close()
    },
  }
}
