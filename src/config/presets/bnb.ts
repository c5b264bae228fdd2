import { type ChainFacts, pancakeTiers, uniswapTiers } from './chainPreset.ts'

/**
 * The currencies are Binance's (Binance-Peg), all with 18 decimals. Its bitcoin and DAI are traded but not bridged.
 * @source as ethereum.ts; BTCB: @aave-dao/aave-address-book 4.68.1; DAI: @uniswap/default-token-list 22.21.0;
 * heartbeats other than of the native currency: Chainlink's directory of 2024; the block time: docs.bnbchain.org
 */
export const bnb: ChainFacts = {
  chain: {
    id: 56,
    name: 'bnb',
    displayName: 'BNB Chain',
    explorerUrl: 'https://bscscan.com',
    nativeCurrency: { symbol: 'BNB', name: 'BNB' },
    wrappedNative: '0xbb4CdB9CBd36B01bD1cBaEBF2De08d9173bc095c',
    wrappedSymbol: 'WBNB',
    l1DataFee: 'none',
    blockSeconds: 0.45,
    depositTiers: [
      { upToUsd: '100', blocks: 16 },
      { upToUsd: '1000', blocks: 32 },
      { upToUsd: '10000', blocks: 64 },
    ],
    fillConfirmations: 54,
    finalityDepth: 200,
  },
  currencies: {
    USDC: '0x8AC76a51cc950d9822D68b83fE1Ad97B32Cd580d',
    USDT: '0x55d398326f99059fF775485246999027B3197955',
    ETH: '0x2170Ed0880ac9A755fd29B2688956BD959F933F8',
    BTCB: '0x7130d2A12B9BCbFAe4f2634d864A1Ee1Ce3Ead9c',
    DAI: '0x1AF3F329e8BE154074D8769D1FFa4eE058B1DBc3',
  },
  factories: {
    'pancakeswap-v2': {
      kind: 'constantProduct',
      factory: '0xcA143Ce32Fe78f1f7019d7d551a6402fC5350c73',
      fee: 2500,
    },
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      fee: 3000,
    },
    'pancakeswap-v3': {
      kind: 'concentrated',
      factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
      feeTiers: pancakeTiers,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0xdB1d10011AD0Ff90774D0C6Bb92e5C5c8b4461F7',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0x126555dd55a39328F69400d6aE4F782Bd4C34ABb',
      feeTiers: uniswapTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x28e2Ea090877bF75740558f6BFB36A5ffeE9e9dF' },
  },
  feeds: {
    native: {
      aggregator: '0x0567F2323251f0Aab15c8dFb1967E4e8A7D42aeE',
      pair: 'BNB / USD',
      heartbeat: 27,
    },
    ETH: {
      aggregator: '0x9ef1B8c0E4F7dc8bF5719Ea496883DC6401d5b2e',
      pair: 'ETH / USD',
      heartbeat: 60,
      isHeartbeatUnverified: true,
    },
    BTCB: {
      aggregator: '0x264990fbd0A4796A3E3d8E37C4d5F87a3aCa5Ebf',
      pair: 'BTC / USD',
      heartbeat: 60,
      isHeartbeatUnverified: true,
    },
    USDC: {
      aggregator: '0x51597f405303C4377E36123cBc172b13269EA163',
      pair: 'USDC / USD',
      heartbeat: 900,
      isHeartbeatUnverified: true,
    },
    USDT: {
      aggregator: '0xB97Ad0E74fa7d920791E90258A6E2085088b4320',
      pair: 'USDT / USD',
      heartbeat: 900,
      isHeartbeatUnverified: true,
    },
    DAI: {
      aggregator: '0x132d3C0B1D2cEa0BC552588063bdBb210FDeecfA',
      pair: 'DAI / USD',
      heartbeat: 900,
      isHeartbeatUnverified: true,
    },
  },
  assets: { ETH: 'ETH', USDC: 'USDC', USDT: 'USDT' },
}
