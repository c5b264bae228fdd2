import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import type { SearchStore } from '#src/chains/search/searchStore.ts'
import type { ChainInput } from '#src/config/chain.ts'
import { parseConfig } from '#src/config/config.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { createMarkets, type Markets } from '#src/market/markets.ts'
import { createChainClock } from '#test/support/chains/chainClock.ts'
import { type LogLine, recordLog } from '#test/support/chains/testChain.ts'
import { v2Factory, v3Factory } from './manyPools.ts'
import type { SimulatedChain } from './simulatedChain.ts'
import type { SimulatedState } from './simulatedState.ts'

export type SimulatedMarket = Readonly<{
  market: Markets
  client: ChainClient
  lines: readonly LogLine[]
  close: () => Promise<void>
}>

type MarketOptions = Readonly<{
  /** The time of day in milliseconds since 1970. Absent: it advances from the newest block of the market. */
  time?: () => number
  /** The state with all pools to follow, including later ones. Absent: the state of the newest block. */
  followed?: SimulatedState
  /** Persists the search for pools between starts. */
  searches?: SearchStore
}>

/** The market of a simulated chain. It finds pools by the factories' pairs. All tokens are listed. */
export function startSimulatedMarket(
  chain: SimulatedChain,
  rpcUrls: ChainInput['rpcUrls'],
  changes: Partial<ChainInput> = {},
  { time, followed = chain.head().state, searches }: MarketOptions = {},
): SimulatedMarket {
  const { pools, tokens } = followed
  const pairsOf = (kind: string) =>
    [...pools.values()]
      .filter(({ pool }) => pool.kind === kind)
      .map(({ pool }): [string, string] => [pool.currency0, pool.currency1])
  const [wrappedNative = nativeAddress] = tokens.keys()
  const config = parseConfig(
    {
      chains: [
        {
          id: chain.id,
          name: 'simulated',
          displayName: 'Simulated',
          rpcUrls,
          wrappedNative,
          nativeCurrency: { symbol: 'ETH', name: 'Ether' },
          blockSeconds: 0.2,
          allowPoolPrices: true,
          factories: [
            {
              kind: 'constantProduct',
              source: 'v2',
              factory: v2Factory,
              pairs: pairsOf('constantProduct'),
            },
            {
              kind: 'concentrated',
              source: 'v3',
              factory: v3Factory,
              feeTiers: [3_000],
              pairs: pairsOf('concentrated'),
            },
          ],
          ...changes,
        },
      ],
      solver: { address: `0x${'5'.repeat(40)}` },
    },
    'simulated chain',
  )
  const [first] = config.chains
  if (first === undefined) throw new Error('No chain is configured')
  const { log, lines } = recordLog()
  const client = createChainClient(first, log, { timeoutSeconds: 5 })
  const listed = [...tokens].map(([address, { symbol, name, decimals }]) => ({
    chainId: first.id,
    address,
    symbol,
    name,
    decimals,
    metadata: { verified: true, isNative: false },
  }))
  const clients = new Map([[first.id, client]])
  const now = () => performance.now()
  const market: Markets = createMarkets(
    {
      clients,
      log,
      now,
      time: time ?? createChainClock(() => market, now),
      ...(searches && { searches }),
    },
    { config, listed },
  )
  return {
    market,
    client,
    lines,
    close: async () => {
      client.close()
      await market.close()
    },
  }
}
