/** The most profitable trade, its profit in units bought, and how fast what it pays grows as the rate falls. */
export type Trade = Readonly<{ paid: number; bought: number; earned: number; growth: number }>

/** The offer of a pool in one direction, without its fee. */
export type Curve = Readonly<{
  /** Output per input of the first unit. 0 if the pool can pay nothing. */
  rate: number
  /**
   * Trades until a further unit of input buys only `rate`.
   * @param margin relative improvement of the rate up to which an idle pool still counts for `growth`
   */
  tradeTo: (rate: number, margin: number) => Trade
}>
