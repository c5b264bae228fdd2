import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConfigInput } from '#src/config/config.ts'
import { type Account, type Address, nativeAddress } from '#src/core/units/address.ts'
import { type DevnetAccount, relayer, solver, users } from './accounts.ts'
import type { ChainContracts, DeployedChain } from './deployment/deployChain.ts'
import { logoUri } from './logoUri.ts'
import { nativeNames } from './plan/chainPlan.ts'
import type { SvmChainDescription } from './svm/svmChainDescription.ts'
import { svmConfigOf, svmSymbol } from './svm/svmConfig.ts'

/** A deployed chain with its endpoints and the time between its blocks. */
export type RunningChain = DeployedChain &
  Readonly<{ rpcUrl: string; wsUrl: string; blockSeconds: number }>

/** Content of `devnet.json`, for people with a wallet and for scripts. */
export type DevnetDescription = Readonly<{
  chains: readonly Readonly<{
    id: number
    name: string
    rpcUrl: string
    wsUrl: string
    nativeCurrency: Readonly<{ symbol: string; decimals: number }>
    contracts: ChainContracts
    /** All ERC-20 currencies, including those that are not in the token list. */
    currencies: readonly Readonly<{ address: Address; symbol: string; decimals: number }>[]
  }>[]
  /** Accounts for people. They hold every currency on every chain. */
  accounts: readonly DevnetAccount[]
  solver: DevnetAccount
  /** Sends the calls of API keys. */
  relayer: DevnetAccount
  /** Present if the devnet has its Solana chain. */
  svmChain?: SvmChainDescription
}>

const nativeDecimals = 18

/** In US dollars: above the value of all currencies of the devnet. */
const devnetLimit = '999999999999'

export const describeDevnet = (
  chains: readonly RunningChain[],
  svmChain?: SvmChainDescription,
): DevnetDescription => ({
  chains: chains.map(({ plan, rpcUrl, wsUrl, contracts, currencies }) => ({
    id: plan.id,
    name: plan.name,
    rpcUrl,
    wsUrl,
    nativeCurrency: { symbol: plan.native, decimals: nativeDecimals },
    contracts,
    currencies: currencies.map(({ address, symbol, decimals }) => ({ address, symbol, decimals })),
  })),
  accounts: users,
  solver,
  relayer,
  ...(svmChain && { svmChain }),
})

/** The token list, in the format of https://uniswap.org/tokenlist.schema.json. `timestamp` is ISO 8601. */
export const tokenListOf = (
  chains: readonly RunningChain[],
  timestamp: string,
  svmChain?: SvmChainDescription,
) => ({
  name: 'Crossquote devnet',
  timestamp,
  version: { major: 1, minor: 0, patch: 0 },
  tokens: [
    ...chains.flatMap(({ plan, currencies }) =>
      currencies.filter(({ isListed }) => isListed).map((each) => listed(plan.id, each)),
    ),
    ...(svmChain?.mints.map((mint) => listed(svmChain.id, mint)) ?? []),
  ],
})

type Described = Readonly<{ address: Account; symbol: string; name: string; decimals: number }>

const listed = (chainId: number, { address, symbol, name, decimals }: Described) => ({
  chainId,
  address,
  symbol,
  name,
  decimals,
  logoURI: logoUri(symbol),
})

/** The configuration of a gateway on these chains. */
export function configOf(
  chains: readonly RunningChain[],
  tokenList: string,
  svmChain?: SvmChainDescription,
): ConfigInput {
  const svm = svmChain && svmConfigOf(svmChain, chains[0])
  const sameSymbol = (symbol: string) => [
    ...withSymbol(chains, symbol),
    ...svmSymbol(svmChain, symbol),
  ]
  return {
    chains: chains.map(chainConfigOf),
    ...(svm && { svmChains: svm.svmChains }),
    tokenList,
    solver: {
      address: solver.address,
      forcesRefunds: true,
      settleAfterSeconds: 60,
      externalLiquiditySeconds: 3_600,
      openPriceSeconds: 10,
      ...(svm && { svm: svm.solver }),
    },
    relayer: { address: relayer.address },
    multiInputSeconds: 120,
    assets: [
      { symbol: 'ETH', class: 'major', currencies: etherOf(chains) },
      { symbol: 'USDC', class: 'stable', currencies: sameSymbol('USDC') },
      { symbol: 'USDT', class: 'stable', currencies: sameSymbol('USDT') },
      { symbol: 'DAI', class: 'stable', currencies: sameSymbol('DAI') },
      { symbol: 'BTC', class: 'major', currencies: sameSymbol('WBTC') },
      ...(svm ? [{ symbol: 'SOL', class: 'major' as const, currencies: sameSymbol('SOL') }] : []),
    ],
  }
}

const chainConfigOf = ({
  plan,
  rpcUrl,
  wsUrl,
  blockSeconds,
  contracts,
  feeds,
}: RunningChain): ConfigInput['chains'][number] => ({
  id: plan.id,
  name: plan.name,
  displayName: plan.displayName,
  rpcUrls: [rpcUrl],
  wsUrl,
  publicRpcUrl: rpcUrl,
  publicWsUrl: wsUrl,
  iconUrl: logoUri(plan.native),
  nativeCurrency: {
    symbol: plan.native,
    name: nativeNames[plan.native],
    decimals: nativeDecimals,
    logoURI: logoUri(plan.native),
  },
  wrappedNative: contracts.wrappedNative,
  contracts: {
    depository: contracts.depository,
    router: contracts.router,
    approvalProxy: contracts.approvalProxy,
    ...(contracts.depositAddressFactory && {
      depositAddressFactory: contracts.depositAddressFactory,
    }),
  },
  multicall3: contracts.multicall3,
  l1DataFee: plan.l1DataFee,
  blockSeconds,
  // A busy machine may hold up its blocks for a while.
  maxMarketAgeSeconds: 60,
  fillConfirmations: 1,
  // Every deposit is filled after one block: nobody can lose money here.
  depositTiers: [{ upToUsd: devnetLimit, blocks: 1 }],
  agreeingEndpoints: 1,
  maxUnfinalizedUsd: devnetLimit,
  factories: [
    {
      kind: 'constantProduct',
      source: 'uniswap-v2',
      factory: contracts.uniswapV2Factory,
    },
    {
      kind: 'concentrated',
      source: 'uniswap-v3',
      factory: contracts.uniswapV3Factory,
    },
  ],
  priceFeeds: [...feeds],
  verifyEverySeconds: 30,
})

type Listed = { chainId: number; address: Address }[]

const withSymbol = (chains: readonly RunningChain[], symbol: string): Listed =>
  chains.flatMap(({ plan, currencies }) =>
    currencies
      .filter((currency) => currency.symbol === symbol)
      .map(({ address }) => ({ chainId: plan.id, address })),
  )

/** Ether on each chain: the native currency or the bridged one. */
const etherOf = (chains: readonly RunningChain[]): Listed => [
  ...chains
    .filter(({ plan }) => plan.native === 'ETH')
    .map(({ plan }) => ({ chainId: plan.id, address: nativeAddress })),
  ...withSymbol(chains, 'ETH'),
]

/** Replaces the file atomically: a reader gets the old or the new content, whole. */
export function writeJson(path: string, value: unknown): void {
  mkdirSync(dirname(path), { recursive: true })
  const temporary = `${path}.${process.pid}`
  writeFileSync(temporary, `${JSON.stringify(value, null, 2)}\n`)
  renameSync(temporary, path)
}
