import { bigint, customType, numeric } from 'drizzle-orm/pg-core'

/** An integer up to 2^53 − 1. */
export const integerColumn = (name: string) => bigint(name, { mode: 'number' })

export const blockNumberColumn = (name: string) => bigint(name, { mode: 'bigint' })

/** 2^256 − 1 has 78 digits. */
export const amountColumn = (name: string) =>
  numeric(name, { precision: 78, scale: 0, mode: 'bigint' })

/**
 * JSON that is read as a whole and rarely searched, so that the cheaper `json` suffices. It contains bigints as decimal
 * strings, which the reader parses. One driver returns it parsed, the other as text.
 */
export const jsonColumn = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
})
