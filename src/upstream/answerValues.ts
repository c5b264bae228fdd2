import { z } from 'zod'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type Amount, parseAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { type Currency, isNative } from '#src/core/units/currency.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'

// The values of another service's answers. Unknown fields are dropped; wrong values are refused.

/** Parses by a function that throws a RangeError. */
const parsedBy =
  <Value>(parse: (text: string) => Value) =>
  (text: string, context: z.RefinementCtx): Value => {
    try {
      return parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'invalid' })
      return z.NEVER
    }
  }

export const address = z.string().max(42).transform(parsedBy(toAddress))

/** Decimal digits, at most 78. */
export const amount = z.string().max(78).transform(parsedBy(parseAmount))

export const chainId = z.int().positive().transform(toChainId)

type Hex = `0x${string}`

export const hash = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/)
  .transform((text) => text.toLowerCase() as Hex)

export const hex = z
  .string()
  .max(131_074)
  .regex(/^0x([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase() as Hex)

/** US dollars as decimal text. Further decimals than millionths are cut off: rounded toward zero. */
export const usd = z
  .string()
  .regex(/^-?[0-9]{1,15}(\.[0-9]{1,36})?$/)
  .transform((text): Usd => {
    const [whole = '0', fraction = ''] = text.replace('-', '').split('.')
    const magnitude = BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 6).padEnd(6, '0'))
    return toUsd(text.startsWith('-') ? -magnitude : magnitude)
  })

/** Text for people, without characters that could change the text around it. */
export const shownText = (maxCharacters: number) =>
  z
    .string()
    .max(1_024)
    .transform((text) =>
      Array.from(text.replace(/[\p{C}\p{Zl}\p{Zp}\uFFFD]/gu, ' ').trim())
        .slice(0, maxCharacters)
        .join(''),
    )

const currency = z
  .object({
    chainId,
    address,
    symbol: shownText(32),
    name: shownText(64),
    decimals: z.int().min(0).max(255),
    metadata: z
      .object({ logoURI: z.string().max(512).nullish(), verified: z.boolean().nullish() })
      .nullish(),
  })
  .transform(({ metadata, ...rest }): Currency => {
    const logoURI = metadata?.logoURI
    return {
      ...rest,
      metadata: {
        ...(logoURI?.startsWith('https://') && { logoURI }),
        verified: metadata?.verified ?? false,
        isNative: isNative(rest.address),
      },
    }
  })

export const currencyAmount = z
  .object({
    currency,
    amount,
    minimumAmount: amount.nullish(),
    amountUsd: usd.nullish(),
  })
  .transform(
    ({ currency, amount, minimumAmount, amountUsd }): CurrencyAmount => ({
      currency,
      amount,
      minimumAmount: (minimumAmount ?? amount) as Amount,
      usd: amountUsd ?? undefined,
    }),
  )
