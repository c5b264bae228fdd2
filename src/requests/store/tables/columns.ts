import { bigint, customType, numeric } from 'drizzle-orm/pg-core'

/** A safe integer. */
export const integerColumn = (name: string) => bigint(name, { mode: 'number' })

export const blockNumberColumn = (name: string) => bigint(name, { mode: 'bigint' })

/** 2^256 − 1 has 78 digits. */
export const amountColumn = (name: string) =>
  numeric(name, { precision: 78, scale: 0, mode: 'bigint' })

/**
 * Read back whole, never searched: `json` keeps what came, which costs least. Parsed by its reader, who
 * gets the bigints as decimal strings. One driver gives it parsed, the other as text.
 */
export const jsonColumn = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'json',
  fromDriver: (value) => (typeof value === 'string' ? JSON.parse(value) : value),
})
