import { type Address, nativeAddress } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockReads } from '#src/market/blockReads.ts'
import type { ChainCurrencies } from '#src/market/currencies/currencies.ts'
import type { TrustedPrices } from './readDepths.ts'

type Chain = Readonly<{ id: ChainId; wrappedNative: Address }>

/**
 * The ERC-20 currencies with a usable feed price. Depth is measured in these alone. Prices from pools are excluded,
 * because an attacker who skews one pool for a block would make other pools look deep. Leaves out currencies that were
 * not read from the chain.
 */
export function toTrustedPrices(
  currencies: ChainCurrencies,
  { id: chainId, wrappedNative }: Chain,
  feedPrices: BlockReads['feedPrices'],
): TrustedPrices {
  const prices = new Map(feedPrices)
  const native = feedPrices.get(nativeAddress) ?? feedPrices.get(wrappedNative)
  if (native !== undefined) prices.set(wrappedNative, native)
  prices.delete(nativeAddress)
  return new Map(
    [...prices].flatMap(([address, price]) => {
      const decimals = currencies.known({ chainId, address })?.decimals
      return decimals === undefined ? [] : [[address, { decimals, price }] as const]
    }),
  )
}
