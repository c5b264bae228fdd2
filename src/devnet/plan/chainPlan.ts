import type { Address } from '#src/core/units/address.ts'
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
