import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest'
import { type ChainClient, createChainClient } from '#src/chains/rpc/chainClient.ts'
import { createMemorySearches } from '#src/chains/search/searchStore.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { createMarkets, type Markets } from '#src/market/markets.ts'
import type { OtherChain } from '#src/market/otherChain.ts'
import { type RpcProxy, startRpcProxy } from '#test/support/nodes/rpcProxy.ts'
import { waitLimitMs } from '#test/support/patience.ts'
import { createChainClock } from './chainClock.ts'
import { type MarketChain, startMarketChain } from './marketChain.ts'
import { readTradedPools } from './readChainPools.ts'
import { type LogLine, recordLog } from './testChain.ts'

/** Options of `vi.waitFor`. */
export const patience = { timeout: waitLimitMs, interval: 20 }

export const messagesOf = (lines: readonly LogLine[]): readonly string[] =>
  lines.map(({ msg }) => msg)

/** Makes the market verify every pool and currency continuously. */
export const verifiedAlways = { verifyEverySeconds: 0.05, verifyCallsPerSecond: 1000 }

type Changes = Parameters<MarketChain['configure']>[0]

type OtherParts = Pick<Parameters<typeof createMarkets>[0], 'clients' | 'log' | 'now'> &
  Readonly<{ config: ReturnType<MarketChain['configure']> }>

/**
 * A devnet chain for all tests of a file, with an RPC proxy between the chain and the markets that the
 * tests start. Each market is closed after its test.
 * @param place Index of the chain in the devnet.
 */
export function useMarketChain(place = 0) {
  const rig: { chain?: MarketChain; proxy?: RpcProxy } = {}
  const open: { market: Markets; client: ChainClient }[] = []

  beforeAll(async () => {
    const plan = chainPlans[place]
    if (plan === undefined) throw new Error(`The devnet has no chain ${place}`)
    rig.chain = await startMarketChain(plan)
    rig.proxy = await startRpcProxy(rig.chain.rpcUrl)
  })
  afterEach(async () => {
    rig.proxy?.behave('pass')
    for (const { market, client } of open.splice(0)) {
      await market.close()
      client.close()
    }
  })
  afterAll(() => Promise.all([rig.chain?.stop(), rig.proxy?.stop()]))

  const chainOf = (): MarketChain => {
    if (rig.chain === undefined) throw new Error('The chain is not up yet')
    return rig.chain
  }
  const proxyOf = (): RpcProxy => {
    if (rig.proxy === undefined) throw new Error('The proxy is not up yet')
    return rig.proxy
  }

  /** Pools on the chain now, without those of the fee-on-transfer currency. */
  const routablePools = () => readTradedPools(chainOf().anvil, chainOf().deployed)

  function start(
    changes: Changes = {},
    {
      now = () => performance.now(),
      /** Absent: time advances from the newest block. */
      time = undefined as (() => number) | undefined,
      listed = chainOf().listed,
      timeoutSeconds = 1,
      searches = createMemorySearches(),
      /** Chains of other virtual machines, from the configuration and clients of this one. */
      othersOf = (() => []) as (parts: OtherParts) => readonly OtherChain[],
    } = {},
  ) {
    const config = chainOf().configure({ rpcUrls: [proxyOf().url], ...changes })
    const [first] = config.chains
    if (first === undefined) throw new Error('No chain is configured')
    const { log, lines } = recordLog()
    const client = createChainClient(first, log, { timeoutSeconds })
    const clients = new Map([[first.id, client]])
    const market: Markets = createMarkets(
      { clients, log, now, searches, time: time ?? createChainClock(() => market, now) },
      { config, listed, others: othersOf({ config, clients, log, now }) },
    )
    open.push({ market, client })
    const status = () => {
      const [only] = market.status()
      if (only === undefined) throw new Error('No chain has a status')
      return only
    }
    /** Waits until the market shows the chain's latest block. */
    const atHead = async () => {
      const block = await chainOf().anvil.getBlock()
      await vi.waitFor(() => expect(market.latest(first.id)?.block.hash).toBe(block.hash), patience)
    }
    /** Pools that the market routes through, by address. */
    const pools = () => market.latest(first.id)?.graph.pools
    return { market, client, config, chainId: first.id, lines, status, atHead, pools }
  }

  return {
    start,
    routablePools,
    get chain() {
      return chainOf()
    },
    get proxy() {
      return proxyOf()
    },
  }
}
