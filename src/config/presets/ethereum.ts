import { type ChainFacts, pancakeTiers, uniswapTiers } from './chainPreset.ts'

/**
 * @source addresses of Uniswap: @uniswap/sdk-core 7.19.4; of SushiSwap: sushi 7.3.15; of PancakeSwap: @pancakeswap/v2-sdk
 * 1.2.2 and v3-sdk 3.10.2; currencies: @across-protocol/constants 3.1.127; feeds: @aave-dao/aave-address-book 4.68.1
 */
export const ethereum: ChainFacts = {
  chain: {
    id: 1,
    name: 'ethereum',
    displayName: 'Ethereum',
    explorerUrl: 'https://etherscan.io',
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
    wrappedSymbol: 'WETH',
    l1DataFee: 'none',
    blockSeconds: 12,
    depositTiers: [
      { upToUsd: '100', blocks: 16 },
      { upToUsd: '1000', blocks: 32 },
      { upToUsd: '10000', blocks: 64 },
    ],
    fillConfirmations: 12,
    finalityDepth: 96,
  },
  currencies: {
    USDC: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
    USDT: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
    WBTC: '0x2260FAC5E5542a773Aa44fBCfeDf7C193bc2C599',
    DAI: '0x6B175474E89094C44Da98b954EedeAC495271d0F',
  },
  factories: {
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0xC0AEe478e3658e2610c5F7A4A2E1777cE9e4f2Ac',
      fee: 3000,
    },
    'pancakeswap-v2': {
      kind: 'constantProduct',
      factory: '0x1097053Fd2ea711dad45caCcc45EfF7548fCB362',
      fee: 2500,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0xbACEB8eC6b9355Dfc0269C18bac9d6E2Bdc29C4F',
      feeTiers: uniswapTiers,
    },
    'pancakeswap-v3': {
      kind: 'concentrated',
      factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
      feeTiers: pancakeTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x000000000004444c5dc75cB358380D2e3dE08A90' },
  },
  feeds: {
    native: {
      aggregator: '0x5f4eC3Df9cbd43714FE2740f5E3616155c5b8419',
      pair: 'ETH / USD',
      heartbeat: 3600,
    },
    WBTC: {
      aggregator: '0xF4030086522a5bEEa4988F8cA5B36dbC97BeE88c',
      pair: 'BTC / USD',
      heartbeat: 3600,
    },
    USDC: {
      aggregator: '0x8fFfFfd4AfB6115b954Bd326cbe7B4BA576818f6',
      pair: 'USDC / USD',
      heartbeat: 82_800,
    },
    USDT: {
      aggregator: '0x3E7d1eAB13ad0104d2750B8863b489D65364e32D',
      pair: 'USDT / USD',
      heartbeat: 86_400,
    },
    DAI: {
      aggregator: '0xAed0c38402a5d19df6E4c03F4E2DceD6e29c1ee9',
      pair: 'DAI / USD',
      heartbeat: 3600,
    },
  },
  assets: { ETH: 'native', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT', DAI: 'DAI' },
}
