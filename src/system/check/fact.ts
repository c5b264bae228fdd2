/** A fact of the configuration, with the answer of the chain. */
export type Fact = Readonly<{
  /** The key of the configuration and the checked property, such as `priceFeeds.0 decimals`. */
  name: string
  /** A warning does not fit the chain and does no harm. */
  state: 'ok' | 'wrong' | 'warning' | 'notChecked'
  /** The answer of the chain, or the reason why there is none. */
  found: string
  expected: string
}>

/** An answer as one line of at most 60 characters: contracts return texts of any length, with any characters. */
export const shorten = (text: string): string => {
  const plain = text.replaceAll(/\p{C}/gu, ' ')
  return plain.length > 60 ? `${plain.slice(0, 59)}…` : plain
}
