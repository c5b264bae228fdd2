import { privateKeyToAddress } from 'viem/accounts'
import { type Address, toAddress } from '#src/core/units/address.ts'

export type DevnetAccount = Readonly<{ address: Address; privateKey: `0x${string}` }>

const toAccount = (privateKey: `0x${string}`): DevnetAccount => ({
  address: toAddress(privateKeyToAddress(privateKey)),
  privateKey,
})

// The ten public accounts that anvil unlocks by default, from the mnemonic "test test test test test test
// test test test test test junk" at m/44'/60'/0'/0/0 to 9.

/** Wallets for people and tests. */
export const users = [
  toAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'),
  toAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'),
  toAccount('0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a'),
  toAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6'),
  toAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a'),
] as const

/** Pays out on destination chains. */
export const solver = toAccount(
  '0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba',
)

/** Sends the calls of API keys. It holds only gas money. */
export const relayer = toAccount(
  '0x1c5f9b3f1e2d4c6b7a8090a1b2c3d4e5f60718293a4b5c6d7e8f9011223344aa',
)

/** Swaps at random if the devnet runs with traffic. */
export const trader = toAccount(
  '0x92db14e403b83dfe3df233f83dfa3a0d7096f21ca9b0d6d6b8d88b2b4ec1564e',
)

/** Each sets up one chain. */
export const deployers = {
  ethereum: toAccount('0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356').address,
  rollup: toAccount('0xdbda1821b80551c9d65939329250298aa3472ba22feea921c0cf5d620ea67b97').address,
  bnb: toAccount('0x2a871d0798f97d79848a013d4936a73bf4cc922c825d33c1cf7073dff6d409c6').address,
} as const
