import { z } from 'zod'
import { toManagedPoolId } from '#src/core/pools/poolKind.ts'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import { toUsd, toUsdPrice } from '#src/core/units/usd.ts'

/** Maximum length of an amount, a pool price or a liquidity, including the sign. */
const maxDigits = 80

/** Prices are products along a path of pools, so they have no natural bound. */
const maxPriceDigits = 2_000

const digitsOf = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^-?\d+$/)

/** Integers are decimal text in messages: JSON has no bigint. */
export const integer = digitsOf(maxDigits).transform(BigInt)
export const amount = integer.transform(toAmount)
export const usd = digitsOf(maxPriceDigits).transform((text) => toUsd(BigInt(text)))
export const usdPrice = digitsOf(maxPriceDigits).transform((text) => toUsdPrice(BigInt(text)))
export const address = z.string().transform(toAddress)
export const managedPoolId = z.string().transform(toManagedPoolId)
export const poolId = z
  .string()
  .transform((text) => (text.length === 42 ? toAddress(text) : toManagedPoolId(text)))
export const hash = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]*$/)])

/** The common fields of a whole pool in a replica message. */
export const poolFields = {
  address,
  source: z.string(),
  currency0: address,
  currency1: address,
  fee: z.number().transform(toPips),
}

/** JSON with integers as decimal text. */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? each.toString() : each))
