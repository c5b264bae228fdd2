import fc from 'fast-check'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import type { Pool } from '#src/core/pools/pool.ts'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toPips } from '#src/core/units/pips.ts'
import { toUsd, toUsdPrice, type UsdPrice } from '#src/core/units/usd.ts'
import {
  createUsdPrices,
  type PriceRules,
  type PriceSources,
} from '#src/market/prices/usdPrices.ts'

export const addressOf = (index: number): Address =>
  toAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`)
export const dollar = toUsdPrice(10n ** 18n)
export const unlisted = addressOf(1000)

/** Currency `i` has `i` decimals. */
export const decimalsOf = (currency: Address): number => Number(BigInt(currency)) - 1

export const pairOf = (
  index: number,
  [one, other]: readonly [number, number],
  [reserveOne, reserveOther]: readonly [bigint, bigint],
): ConstantProductPool => ({
  kind: 'constantProduct',
  chainId: toChainId(1),
  address: addressOf(100 + index),
  source: 'test',
  fee: toPips(3000),
  ...(one < other
    ? { currency0: addressOf(one), currency1: addressOf(other) }
    : { currency0: addressOf(other), currency1: addressOf(one) }),
  ...(one < other
    ? { reserve0: reserveOne, reserve1: reserveOther }
    : { reserve0: reserveOther, reserve1: reserveOne }),
})

export type Given = PriceSources & PriceRules

export const findUsdPrices = (given: Given) => createUsdPrices(given)(given)

export const sourcesOf = (pools: readonly Pool[], more: Partial<Given> = {}): Given => ({
  feeds: new Map([[addressOf(6), dollar]]),
  pools,
  decimalsOf,
  minDepth: toUsd(0n),
  wrappedNative: unlisted,
  feedOnly: new Set(),
  ...more,
})

export const currency = fc.integer({ min: 0, max: 18 })
export const reserve = fc.bigInt(0n, 10n ** 24n)
export const pools = fc
  .array(fc.tuple(fc.tuple(currency, currency), fc.tuple(reserve, reserve)), { maxLength: 30 })
  .map((drawn) =>
    drawn
      .filter(([[one, other]]) => one !== other)
      .map(([pair, reserves], index) => pairOf(index, pair, reserves)),
  )
export const feeds = fc
  .array(fc.tuple(currency.map(addressOf), fc.bigInt(1n, 10n ** 24n).map(toUsdPrice)))
  .map((entries): ReadonlyMap<Address, UsdPrice> => new Map(entries))

export const dollars = (whole: bigint): bigint => whole * 1_000_000n
