import type { Address } from '#src/units/address.ts'

/** A fact of the configuration beside what the chain says of it. */
export type Fact = Readonly<{
  /** The key of the configuration and what is asked of it, such as `priceFeeds.0 decimals`. */
  name: string
  state: 'ok' | 'wrong' | 'notChecked'
  /** What the chain says, or why it was not asked. */
  found: string
  expected: string
}>

/** An address of the configuration that must hold a contract. */
export type NamedContract = Readonly<{ name: string; address: Address }>

/** An answer as one short line: contracts answer texts of any length, with any characters. */
export const shorten = (text: string): string => {
  const plain = text.replaceAll(/\p{C}/gu, ' ')
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}
