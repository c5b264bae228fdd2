import { type ChainFacts, pancakeTiers, uniswapTiers } from './chainPreset.ts'

/** @source as ethereum.ts; the block time: viem 2.57.1 */
export const arbitrum: ChainFacts = {
  chain: {
    id: 42161,
    name: 'arbitrum',
    displayName: 'Arbitrum One',
    explorerUrl: 'https://arbiscan.io',
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: '0x82aF49447D8a07e3bd95BD0d56f35241523fBab1',
    wrappedSymbol: 'WETH',
    l1DataFee: 'arbitrum',
    blockSeconds: 0.25,
    // At four blocks a second these are one, two and 24 seconds.
    depositConfirmations: 4,
    depositTiers: [{ upToUsd: '1000', blocks: 8 }],
    fillConfirmations: 96,
    finalityDepth: 7200,
    sequencerFeed: { address: '0xFdB631F5EE196F0ed6FAa767959853A9F217697D' },
  },
  currencies: {
    USDC: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
    'USDC.e': '0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8',
    USDT: '0xFd086bC7CD5C481DCC9C85ebE478A1C0b69FCbb9',
    WBTC: '0x2f2a2543B76A4166549F7aaB2e75Bef0aefC5B0f',
    DAI: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
  },
  factories: {
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0xf1D7CC64Fb4452F05c498126312eBE29f30Fbcf9',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      fee: 3000,
    },
    'pancakeswap-v2': {
      kind: 'constantProduct',
      factory: '0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E',
      fee: 2500,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0x1af415a1EbA07a4986a52B6f2e7dE7003D82231e',
      feeTiers: uniswapTiers,
    },
    'pancakeswap-v3': {
      kind: 'concentrated',
      factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
      feeTiers: pancakeTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x360E68faCcca8cA495c1B759Fd9EEe466db9FB32' },
  },
  feeds: {
    native: {
      aggregator: '0x639Fe6ab55C921f74e7fac1ee960C0B6293ba612',
      pair: 'ETH / USD',
      heartbeat: 1755,
    },
    WBTC: {
      aggregator: '0x6ce185860a4963106506C203335A2910413708e9',
      pair: 'BTC / USD',
      heartbeat: 1755,
    },
    // Observed: answers 300 s apart.
    USDC: {
      aggregator: '0x50834F3163758fcC1Df9973b6e91f0F0F0434aD3',
      pair: 'USDC / USD',
      heartbeat: 300,
    },
    USDT: {
      aggregator: '0x3f3f5dF88dC9F13eac63DF89EC16ef6e7E25DdE7',
      pair: 'USDT / USD',
      heartbeat: 300,
    },
    DAI: {
      aggregator: '0xc5C8E77B397E531B8EC06BFb0048328B30E9eCfB',
      pair: 'DAI / USD',
      heartbeat: 86_400,
    },
  },
  assets: { ETH: 'native', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT', DAI: 'DAI' },
}
