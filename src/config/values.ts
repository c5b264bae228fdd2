import { z } from 'zod'
import { toAccount } from '#src/core/units/account.ts'
import { toAddress } from '#src/core/units/address.ts'
import { type Bps, toBps } from '#src/core/units/bps.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type Pips, toPips } from '#src/core/units/pips.ts'
import { toUsd, type Usd } from '#src/core/units/usd.ts'

/** A text of the configuration or environment that `parse` understands. Its error is shown to the operator. */
export const parsedBy = <Value>(parse: (text: string) => Value) =>
  z.string().transform((text, context): Value => {
    try {
      return parse(text)
    } catch (error) {
      context.addIssue({ code: 'custom', message: (error as Error).message })
      return z.NEVER
    }
  })

/** An address with or without a checksum. */
export const address = parsedBy(toAddress)

/** An account of any virtual machine. */
export const account = parsedBy(toAccount)

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
