import type { ChainConfig, Config } from '#src/config.ts'
import { type Address, nativeAddress } from '#src/units/address.ts'

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
