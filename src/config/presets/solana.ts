import { ethereum } from './ethereum.ts'

/** A feed of Ethereum, in the format of the configuration. */
const feedOf = (currency: string, symbol: 'USDC' | 'USDT') => {
  const feed = ethereum.feeds[symbol]
  if (feed === undefined) throw new Error(`Ethereum has no feed of ${symbol}`)
  const { aggregator, pair, heartbeat } = feed
  const maxAgeSeconds = Math.ceil(heartbeat * 1.15)
  return { currency, chainId: 1, aggregator, description: pair, decimals: 8, maxAgeSeconds }
}

const mints = {
  USDC: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkwyTDt1v',
  USDT: 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB',
}
const native = '11111111111111111111111111111111'

/**
 * @source the mints: Circle's and Tether's lists of contracts; the genesis hash: docs.anza.xyz, clusters; the feed of
 * SOL: Chainlink's directory of Ethereum
 */
export const solana = {
  chain: {
    vmType: 'svm',
    id: 792703809,
    name: 'solana',
    displayName: 'Solana',
    genesisHash: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
    explorerUrl: 'https://explorer.solana.com',
    nativeCurrency: { symbol: 'SOL', name: 'Solana' },
    priceFeeds: [
      {
        currency: native,
        chainId: 1,
        aggregator: '0x4ffC43a60e009B551865A93d232E33Fce9f01507',
        description: 'SOL / USD',
        decimals: 8,
        maxAgeSeconds: 99_360,
      },
      feedOf(mints.USDC, 'USDC'),
      feedOf(mints.USDT, 'USDT'),
    ],
  },
  assets: { USDC: 'USDC', USDT: 'USDT' },
  addresses: { ...mints, native },
} as const
