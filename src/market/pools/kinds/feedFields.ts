import { z } from 'zod'
import { address } from '#src/market/feed/wireValues.ts'
import { toPips } from '#src/units/pips.ts'

/** The fields that a whole pool of any kind has in a message of the feed. */
export const poolFields = {
  address,
  source: z.string(),
  currency0: address,
  currency1: address,
  fee: z.number().transform(toPips),
}
