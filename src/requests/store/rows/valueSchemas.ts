import { z } from 'zod'
import { toAddress } from '#src/units/address.ts'
import { toAmount } from '#src/units/amount.ts'
import { toChainId } from '#src/units/chainId.ts'

export const hex = z.custom<`0x${string}`>((value) => /^0x([0-9a-f]{2})*$/i.test(String(value)))

export const hash = z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value)))

export const address = z.string().transform(toAddress)

export const chainId = z.number().transform(toChainId)

/** Out of a column of its own. */
export const amount = z.bigint().transform(toAmount)

/** Out of JSON. */
export const bigint = z
  .string()
  .regex(/^-?[0-9]{1,78}$/)
  .transform(BigInt)

/** Out of JSON. */
export const jsonAmount = bigint.transform(toAmount)

/** A row without its nulls: what is absent from a value is null in its row. */
export const presentIn = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
