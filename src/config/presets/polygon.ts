import { type ChainFacts, uniswapTiers } from './chainPreset.ts'

/**
 * @source as ethereum.ts; QuickSwap v2: messari/subgraphs 2711ac9; heartbeats other than of the native currency:
 * Chainlink's directory of 2024; the block time: the press on PIP-86
 */
export const polygon: ChainFacts = {
  chain: {
    id: 137,
    name: 'polygon',
    displayName: 'Polygon',
    explorerUrl: 'https://polygonscan.com',
    nativeCurrency: { symbol: 'POL', name: 'POL' },
    wrappedNative: '0x0d500B1d8E8eF31E21C99d1Db9A6444d3ADf1270',
    wrappedSymbol: ['WPOL', 'WMATIC'],
    l1DataFee: 'none',
    blockSeconds: 1.75,
    depositTiers: [
      { upToUsd: '100', blocks: 16 },
      { upToUsd: '1000', blocks: 32 },
      { upToUsd: '10000', blocks: 64 },
    ],
    fillConfirmations: 16,
    finalityDepth: 256,
  },
  currencies: {
    USDC: '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359',
    'USDC.e': '0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174',
    USDT: '0xc2132D05D31c914a87C6611C10748AEb04B58e8F',
    WETH: '0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619',
    WBTC: '0x1BFD67037B42Cf73acF2047067bd4F2C47D9BfD6',
    DAI: '0x8f3Cf7ad23Cd3CaDbD9735AFf958023239c6A063',
  },
  factories: {
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0x9e5A52f57b3038F1B8EeE45F28b3C1967e22799C',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      fee: 3000,
    },
    'quickswap-v2': {
      kind: 'constantProduct',
      factory: '0x5757371414417b8C6CAad45bAeF941aBc7d3Ab32',
      fee: 3000,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0x1F98431c8aD98523631AE4a59f267346ea31F984',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0x917933899c6a5F8E37F31E19f92CdBFF7e8FF0e2',
      feeTiers: uniswapTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x67366782805870060151383F4BbFF9daB53e5cD6' },
  },
  feeds: {
    native: {
      aggregator: '0xAB594600376Ec9fD91F8e885dADF0CE036862dE0',
      pair: ['POL / USD', 'MATIC / USD'],
      heartbeat: 27,
    },
    WETH: {
      aggregator: '0xF9680D99D6C9589e2a93a78A04A279e509205945',
      pair: 'ETH / USD',
      heartbeat: 27,
      isHeartbeatUnverified: true,
    },
    WBTC: {
      aggregator: '0xc907E116054Ad103354f2D350FD2514433D57F6f',
      pair: 'BTC / USD',
      heartbeat: 27,
      isHeartbeatUnverified: true,
    },
    USDC: {
      aggregator: '0xfE4A8cc5b5B2366C1B58Bea3858e81843581b2F7',
      pair: 'USDC / USD',
      heartbeat: 27,
      isHeartbeatUnverified: true,
    },
    USDT: {
      aggregator: '0x0A6513e40db6EB1b165753AD52E80663aeA50545',
      pair: 'USDT / USD',
      heartbeat: 27,
      isHeartbeatUnverified: true,
    },
    DAI: {
      aggregator: '0x4746DeC9e833A82EC7C2C1356372CcF2cfcD2F3D',
      pair: 'DAI / USD',
      heartbeat: 27,
      isHeartbeatUnverified: true,
    },
  },
  assets: { ETH: 'WETH', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT', DAI: 'DAI' },
  isBlockTimeUnverified: true,
}
