import { type ChainFacts, pancakeTiers, uniswapTiers } from './chainPreset.ts'

/**
 * @source as ethereum.ts; USDT and WBTC: @enzymefinance/environment 6.3.61; BTC: the feed that Chainlink's directory of
 * October 2026 lists; the block time: docs.base.org
 */
export const base: ChainFacts = {
  chain: {
    id: 8453,
    name: 'base',
    displayName: 'Base',
    explorerUrl: 'https://basescan.org',
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: '0x4200000000000000000000000000000000000006',
    wrappedSymbol: 'WETH',
    l1DataFee: 'opStack',
    blockSeconds: 2,
    depositTiers: [{ upToUsd: '1000', blocks: 1 }],
    fillConfirmations: 12,
    finalityDepth: 900,
    sequencerFeed: { address: '0xBCF85224fc0756B9Fa45aA7892530B47e10b6433' },
  },
  currencies: {
    USDC: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
    USDbC: '0xd9aAEc86B65D86f6A7B5B1b0c42FFA531710b6CA',
    USDT: '0xfde4C96c8593536E31F229EA8f37b2ADa2699bb2',
    WBTC: '0x0555E30da8f98308EdB960aa94C0Db47230d2B9c',
    DAI: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb',
  },
  factories: {
    'uniswap-v2': {
      kind: 'constantProduct',
      factory: '0x8909Dc15e40173Ff4699343b6eB8132c65e18eC6',
      fee: 3000,
    },
    'sushiswap-v2': {
      kind: 'constantProduct',
      factory: '0x71524B4f93c58fcbF659783284E38825f0622859',
      fee: 3000,
    },
    'pancakeswap-v2': {
      kind: 'constantProduct',
      factory: '0x02a84c1b3BBD7401a5f7fa98a384EBC70bB5749E',
      fee: 2500,
    },
    'uniswap-v3': {
      kind: 'concentrated',
      factory: '0x33128a8fC17869897dcE68Ed026d694621f6FDfD',
      feeTiers: uniswapTiers,
    },
    'sushiswap-v3': {
      kind: 'concentrated',
      factory: '0xc35DADB65012eC5796536bD9864eD8773aBc74C4',
      feeTiers: uniswapTiers,
    },
    'pancakeswap-v3': {
      kind: 'concentrated',
      factory: '0x0BFbCF9fa4f9C56B0F40a671Ad40E0805A091865',
      feeTiers: pancakeTiers,
    },
    'uniswap-v4': { kind: 'uniswapV4', factory: '0x498581fF718922c3f8e6A244956aF099B2652b2b' },
    // @source aerodrome-finance/contracts, deployment addresses
    aerodrome: { kind: 'solidly', factory: '0x420DD381b31aEf6683db6B902084cB0FFECe40Da' },
    // @source aerodrome-finance/slipstream, deployment addresses
    slipstream: { kind: 'slipstream', factory: '0x5e7BB104d84c7CB9B682AaC2F3d509f5F406809A' },
    'slipstream-gauge-caps': {
      kind: 'slipstream',
      factory: '0xaDe65c38CD4849aDBA595a4323a8C7DdfE89716a',
    },
  },
  feeds: {
    native: {
      aggregator: '0x71041dddad3595F9CEd3DcCFBe3D1F4b0a16Bb70',
      pair: 'ETH / USD',
      heartbeat: 1200,
    },
    WBTC: {
      aggregator: '0x32F587986D3fb47601157c19615d568BeD0BCabc',
      pair: 'BTC / USD',
      heartbeat: 1200,
    },
    USDC: {
      aggregator: '0x7e860098F58bBFC8648a4311b374B1D669a2bc6B',
      pair: 'USDC / USD',
      heartbeat: 86_400,
    },
    USDT: {
      aggregator: '0xf19d560eB8d2ADf07BD6D13ed03e1D11215721F9',
      pair: 'USDT / USD',
      heartbeat: 86_400,
    },
    DAI: {
      aggregator: '0x591e79239a7d679378eC8c847e5038150364C78F',
      pair: 'DAI / USD',
      heartbeat: 86_400,
    },
  },
  assets: { ETH: 'native', BTC: 'WBTC', USDC: 'USDC', USDT: 'USDT', DAI: 'DAI' },
}
