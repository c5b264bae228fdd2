import { type ChainFacts, uniswapTiers } from './chainPreset.ts'

/**
 * @source as ethereum.ts; heartbeats other than of the native currency: Chainlink's directory of 2024; the block time:
 * docs.optimism.io
 */
export const optimism: ChainFacts = {
  chain: {
    id: 10,
    name: 'optimism',
    displayName: 'OP Mainnet',
    explorerUrl: 'https://optimistic.etherscan.io',
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: '0x4200000000000000000000000000000000000006',
    wrappedSymbol: 'WETH',
    l1DataFee: 'opStack',
    blockSeconds: 2,
    depositTiers: [{ upToUsd: '1000', blocks: 1 }],
    fillConfirmations: 12,
    finalityDepth: 900,
    sequencerFeed: { address: '0x371EAD81c9102C9BF4874A9075FFFf170F2Ee389' },
  },
  currencies: {
    USDC: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
    'USDC.e': '0x7F5c764cBc14f9669B88837ca1490cCa17c31607',
    USDT: '0x94b008aA00579c1307B0EF2c499aD98a8ce58e58',
    WBTC: '0x68f180fcCe6836688e9084f035309E29Bf0A2095',
    DAI: '0xDA10009cBd5D07dd0CeCc66161FC93D7c9000da1',
  },
  factories: {
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0x0c3c1c532F1e39EdF36BE9Fe0bE1410313E074Bf',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0xFbc12984689e5f15626Bad03Ad60160Fe98B303C',
      fee: 3000,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0x9c6522117e2ed1fE5bdb72bb0eD5E3f2bdE7DBe0',
      feeTiers: uniswapTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x9a13F98Cb987694C9F086b1F5eB990EeA8264Ec3' },
    // @source velodrome-finance/contracts, deployment addresses
    'velodrome-v2': { kind: 'solidly', factory: '0xF1046053aa5682b4F9a81b5481394DA16BE5FF5a' },
    // @source velodrome-finance/slipstream, deployment addresses
    'velodrome-slipstream': {
      kind: 'slipstream',
      factory: '0xCc0bDDB707055e04e497aB22a59c2aF4391cd12F',
    },
  },
  feeds: {
    native: {
      aggregator: '0x13e3Ee699D1909E989722E753853AE30b17e08c5',
      pair: 'ETH / USD',
      heartbeat: 1200,
    },
    WBTC: {
      aggregator: '0xD702DD976Fb76Fffc2D3963D037dfDae5b04E593',
      pair: 'BTC / USD',
      heartbeat: 1200,
      isHeartbeatUnverified: true,
    },
    USDC: {
      aggregator: '0x16a9FA2FDa030272Ce99B29CF780dFA30361E0f3',
      pair: 'USDC / USD',
      heartbeat: 86_400,
      isHeartbeatUnverified: true,
    },
    USDT: {
      aggregator: '0xECef79E109e997bCA29c1c0897ec9d7b03647F5E',
      pair: 'USDT / USD',
      heartbeat: 86_400,
      isHeartbeatUnverified: true,
    },
    DAI: {
      aggregator: '0x8dBa75e83DA73cc766A7e5a0ee71F656BAb470d6',
      pair: 'DAI / USD',
      heartbeat: 86_400,
      isHeartbeatUnverified: true,
    },
  },
  assets: { ETH: 'native', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT', DAI: 'DAI' },
}
