import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { SvmChainConfig } from '#src/config/svm/svmChain.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { ChainMarket } from '#src/core/pricing/market.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { evmHash } from '#src/core/units/txId.ts'
import type { UsdPrice } from '#src/core/units/usd.ts'
import { feedPrice, type Round } from '#src/market/prices/sequencer.ts'
import { read, readAll } from '#src/market/reads/readAll.ts'
import { aggregatorV3Abi } from '#src/protocol/contracts/abis.ts'

type Feed = SvmChainConfig['priceFeeds'][number]

type Ports = Readonly<{
  clients: ReadonlyMap<ChainId, ChainClient>
  log: Log
  /** The market of an EVM chain while its prices are trusted. */
  priced: (chainId: ChainId) => ChainMarket | undefined
}>

export type SvmFeeds = Readonly<{
  /** Reads the feeds of each chain that has a new block. Failures keep the last rounds. */
  refresh: () => Promise<void>
  /**
   * The price of each currency's first feed that has a usable answer. None while the market of the feed's chain is not
   * trusted: its feed may have moved.
   * @param at in seconds since 1970
   */
  prices: (at: bigint) => ReadonlyMap<Pubkey, UsdPrice>
}>

/** The price feeds of a Solana chain, which are contracts of EVM chains. */
export function createSvmFeeds({ clients, log, priced }: Ports, feeds: readonly Feed[]): SvmFeeds {
  const rounds = new Map<Feed, Readonly<{ round: Round; decimals: number }>>()
  const seen = new Map<ChainId, string>()
  const chainIds = [...new Set(feeds.map(({ chainId }) => chainId))]

  async function refreshOn(chainId: ChainId): Promise<void> {
    const client = clients.get(chainId)
    const hash = priced(chainId)?.block.hash
    if (client === undefined || hash === undefined || seen.get(chainId) === hash) return
    const own = feeds.filter((feed) => feed.chainId === chainId)
    const reads = {
      rounds: own.map(({ aggregator }) => read(aggregator, aggregatorV3Abi, 'latestRoundData', [])),
      decimals: own.map(({ aggregator }) => read(aggregator, aggregatorV3Abi, 'decimals', [])),
    }
    const answers = await readAll(client, reads, evmHash(hash))
    own.forEach((feed, at) => {
      const round = answers.rounds[at]
      const decimals = answers.decimals[at]
      if (round === undefined || decimals === undefined) rounds.delete(feed)
      else rounds.set(feed, { round, decimals })
    })
    seen.set(chainId, hash)
  }

  return {
    refresh: async () => {
      await Promise.all(
        chainIds.map((chainId) =>
          refreshOn(chainId).catch((error) =>
            log.debug({ chainId, reason: reasonOf(error) }, 'Price feeds cannot be read'),
          ),
        ),
      )
    },
    prices: (at) => {
      const trusted = new Set(chainIds.filter((chainId) => priced(chainId) !== undefined))
      const prices = new Map<Pubkey, UsdPrice>()
      for (const feed of feeds) {
        const known = rounds.get(feed)
        if (known === undefined || !trusted.has(feed.chainId) || prices.has(feed.currency)) continue
        const { round, decimals } = known
        if (feed.decimals !== undefined && feed.decimals !== decimals) continue
        const price = feedPrice(round, decimals, { at, maxAgeSeconds: feed.maxAgeSeconds })
        if (price !== undefined) prices.set(feed.currency, price)
      }
      return prices
    },
  }
}
