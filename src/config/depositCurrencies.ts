import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainConfig, Config } from './config.ts'

/** The currencies in which users deposit on a chain. */
export function depositCurrencies(
  { assets }: Pick<Config, 'assets'>,
  { id, wrappedNative }: Pick<ChainConfig, 'id' | 'wrappedNative'>,
): ReadonlySet<Address> {
  const bridged = assets.flatMap(({ currencies }) =>
    currencies.filter(({ chainId }) => chainId === id),
  )
  return new Set([nativeAddress, wrappedNative, ...bridged.map(({ address }) => address)])
}
