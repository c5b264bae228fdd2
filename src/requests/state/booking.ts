import { z } from 'zod'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import { bigint } from './valueSchemas.ts'

/**
 * What a transaction of the solver or the relayer cost and brought. Written once, when the transaction is final. Dollars
 * are at the prices of that moment. Null: the value is unknown, for want of a price or of a receipt.
 */
export type Booking = Readonly<{
  /** UTC day of the transaction's block: days since 1970. Without a block's time, the day of its sending. */
  day: number
  /** Gas in wei, with the data fee of an OP stack rollup. */
  gas: bigint | null
  /** Value of the gas, rounded up. */
  gasUsd: Usd | null
  /** Value of what a fill took from the solver, rounded up. Absent for other transactions. */
  volumeUsd?: Usd | null
  /**
   * Of a fill: the deposits without app fees, minus what it took from the solver. Of a refund: what the depository kept
   * for its cost. Rounded down, and possibly negative. Absent for other transactions.
   */
  feesUsd?: Usd | null
  /** Fees of a fill that its API key sponsors, as quoted. Absent for other transactions. */
  sponsoredUsd?: Usd
}>

const usd = bigint.transform(toUsd)

/** From JSON. */
export const booking: z.ZodType<Booking> = z.object({
  day: z.int(),
  gas: bigint.nullable(),
  gasUsd: usd.nullable(),
  volumeUsd: usd.nullable().exactOptional(),
  feesUsd: usd.nullable().exactOptional(),
  sponsoredUsd: usd.exactOptional(),
})
