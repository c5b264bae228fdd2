import { z } from 'zod'
import { toAddress } from '#src/core/units/address.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'

export const hex = z.custom<`0x${string}`>((value) => /^0x([0-9a-f]{2})*$/i.test(String(value)))

export const hash = z.custom<`0x${string}`>((value) => /^0x[0-9a-f]{64}$/.test(String(value)))

export const address = z.string().transform(toAddress)

export const chainId = z.number().transform(toChainId)

/** From a numeric column. */
export const amount = z.bigint().transform(toAmount)

/** From JSON. */
export const bigint = z
  .string()
  .regex(/^-?[0-9]{1,78}$/)
  .transform(BigInt)

/** From JSON. */
export const jsonAmount = bigint.transform(toAmount)

/** A row without its nulls, which stand for absent properties. */
export const presentIn = (row: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
