import type { Address } from '#src/core/units/address.ts'
import type { Amount } from '#src/core/units/amount.ts'
import {
  amountForUsdUp,
  toUsd,
  toUsdPrice,
  type UsdPrice,
  usdPriceDecimals,
} from '#src/core/units/usd.ts'
import { deployers } from '#src/devnet/accounts.ts'

export type ChainPlan = Readonly<{
  /** Not in viem's list of chains, so that no wallet confuses it with another chain. */
  id: number
  /** Name of the chain in orders, in lower case. */
  name: string
  displayName: string
  native: 'ETH' | 'BNB'
  /** Contract addresses derive from the deployer's. Each chain has its own, so that no two chains share an address. */
  deployer: Address
  /** In wei. The base fee stays within a tenth of it. */
  baseFeePerGas: bigint
  l1DataFee: 'none' | 'opStack'
}>

export const chainPlans: readonly [ChainPlan, ChainPlan, ChainPlan] = [
  {
    id: 990001,
    name: 'devnet-ethereum',
    displayName: 'Devnet Ethereum',
    native: 'ETH',
    deployer: deployers.ethereum,
    baseFeePerGas: 8_000_000_000n,
    l1DataFee: 'none',
  },
  {
    id: 990002,
    name: 'devnet-rollup',
    displayName: 'Devnet Rollup',
    native: 'ETH',
    deployer: deployers.rollup,
    baseFeePerGas: 5_000_000n,
    l1DataFee: 'opStack',
  },
  {
    id: 990003,
    name: 'devnet-bnb',
    displayName: 'Devnet BNB',
    native: 'BNB',
    deployer: deployers.bnb,
    baseFeePerGas: 100_000_000n,
    l1DataFee: 'none',
  },
]

export const nativeNames = { ETH: 'Ether', BNB: 'BNB' } as const

export type CurrencyPlan = Readonly<{
  symbol: string
  name: string
  decimals: number
  /** The contract: one of `solidity/`, or WETH9. */
  contract: 'standard' | 'permit' | 'allowance' | 'tether' | 'bytes32' | 'taxed' | 'wrappedNative'
  /** The pools' initial price and the feeds' constant price. */
  price: UsdPrice
  /** Whether there is a price feed. Otherwise the market derives the price from pools. */
  hasFeed: boolean
  /** Whether the token list contains it. */
  isListed: boolean
}>

/** A currency on a chain. */
export type DeployedCurrency = CurrencyPlan & Readonly<{ address: Address }>

/** "0.0042" is 0.42 cents. */
function dollars(text: string): UsdPrice {
  const [whole = '0', fraction = ''] = text.split('.')
  return toUsdPrice(BigInt(`${whole}${fraction.padEnd(usdPriceDecimals, '0')}`))
}

const prices = {
  ETH: dollars('3000'),
  BNB: dollars('600'),
  BTC: dollars('60000'),
  SOL: dollars('150'),
} as const

/** Prices of native currencies and their wrapped forms. */
export const nativePrices = { ETH: prices.ETH, BNB: prices.BNB } as const

/** Prices of the currencies of the Solana chain. */
export const svmPrices = { SOL: prices.SOL, USDC: dollars('1'), USDT: dollars('1') } as const

const wrappedNativePlan = (native: 'ETH' | 'BNB'): CurrencyPlan => ({
  symbol: `W${native}`,
  name: native === 'ETH' ? 'Wrapped Ether' : 'Wrapped BNB',
  decimals: 18,
  contract: 'wrappedNative',
  price: nativePrices[native],
  hasFeed: false,
  isListed: true,
})

const known = { hasFeed: true, isListed: true } as const
const longTail = { contract: 'standard', hasFeed: false, isListed: true } as const

/** Currencies of every chain. */
const everywhere: readonly CurrencyPlan[] = [
  {
    ...known,
    symbol: 'USDC',
    name: 'USD Coin',
    decimals: 6,
    contract: 'permit',
    price: dollars('1'),
  },
  {
    ...known,
    symbol: 'USDT',
    name: 'Tether USD',
    decimals: 6,
    contract: 'tether',
    price: dollars('1'),
  },
  {
    ...known,
    symbol: 'DAI',
    name: 'Dai Stablecoin',
    decimals: 18,
    contract: 'allowance',
    price: dollars('1'),
  },
  {
    ...known,
    symbol: 'WBTC',
    name: 'Wrapped BTC',
    decimals: 8,
    contract: 'standard',
    price: prices.BTC,
  },
  { ...longTail, symbol: 'ACORN', name: 'Acorn', decimals: 18, price: dollars('0.25') },
  { ...longTail, symbol: 'BIRCH', name: 'Birch', decimals: 8, price: dollars('12.5') },
  { ...longTail, symbol: 'CEDAR', name: 'Cedar Euro', decimals: 2, price: dollars('1.08') },
  {
    ...longTail,
    symbol: 'DUNE',
    name: 'Dune Governance',
    decimals: 18,
    contract: 'bytes32',
    price: dollars('850'),
  },
  {
    ...longTail,
    symbol: 'ELM',
    name: 'Elm',
    decimals: 9,
    price: dollars('0.0042'),
    isListed: false,
  },
  {
    ...longTail,
    symbol: 'FERN',
    name: 'Fern Tax',
    decimals: 18,
    contract: 'taxed',
    price: dollars('4.2'),
  },
  { ...longTail, symbol: 'GROVE', name: 'Grove', decimals: 24, price: dollars('31') },
]

/** Bridged ether, for the chain whose native currency is not ether. */
const bridgedEther: CurrencyPlan = {
  ...known,
  symbol: 'ETH',
  name: 'Bridged Ether',
  decimals: 18,
  contract: 'standard',
  price: prices.ETH,
}

/** Bridged SOL: the EVM chains have it if the devnet has its Solana chain. */
export const bridgedSol: CurrencyPlan = {
  ...known,
  symbol: 'SOL',
  name: 'Bridged SOL',
  decimals: 9,
  contract: 'standard',
  price: prices.SOL,
}

/** A chain's ERC-20 currencies, in the order in which they are deployed. */
export const currencyPlans = (native: 'ETH' | 'BNB'): readonly CurrencyPlan[] => [
  wrappedNativePlan(native),
  ...everywhere,
  ...(native === 'BNB' ? [bridgedEther] : []),
]

/** Fee on a transfer of FERN. */
export const taxBps = 200n

/** In US dollars: what depositories pay out of each currency within an hour. */
export const outflowLimit = 1_000_000n

/** The amount of a currency that is worth `dollars` whole US dollars, rounded up. */
export const worth = (
  dollars: bigint,
  { decimals, price }: Readonly<{ decimals: number; price: UsdPrice }>,
): Amount => amountForUsdUp(toUsd(dollars * 1_000_000n), decimals, price)
