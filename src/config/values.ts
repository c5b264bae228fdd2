import { z } from 'zod'
import { type Address, toAddress } from '#src/core/units/address.ts'
import { type Bps, toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Pips, toPips } from '#src/core/units/pips.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'

/** An address in configuration or environment, with or without a checksum. */
export const address = z.string().transform((text, context): Address => {
  try {
    return toAddress(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: (error as Error).message })
    return z.NEVER
  }
})

export const chainId = z
  .int()
  .positive()
  .transform((value): ChainId => toChainId(value))
export const pips = z
  .int()
  .min(0)
  .max(999_999)
  .transform((value): Pips => toPips(value))
export const bps = z
  .int()
  .min(0)
  .max(10_000)
  .transform((value): Bps => toBps(BigInt(value)))
export const dollars = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,6})?$/, 'must be US dollars with at most six decimals, such as "0.02"')
  .transform((text): Usd => {
    const [whole = '0', fraction = ''] = text.split('.')
    return toUsd(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0')))
  })
export const blockNumber = z.int().min(0).transform(BigInt)

export const isHttps = (text: string): boolean =>
  URL.canParse(text) && new URL(text).protocol === 'https:'
