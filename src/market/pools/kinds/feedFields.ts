import { z } from 'zod'
import { address } from '#src/market/feed/wireValues.ts'
import { toPips } from '#src/units/pips.ts'

/** The common fields of a whole pool in a feed message. */
export const poolFields = {
  address,
  source: z.string(),
  currency0: address,
  currency1: address,
  fee: z.number().transform(toPips),
}
