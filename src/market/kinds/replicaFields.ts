import { z } from 'zod'
import { toPips } from '#src/core/units/pips.ts'
import { address } from '#src/market/replica/wireValues.ts'

/** The common fields of a whole pool in a replica message. */
export const poolFields = {
  address,
  source: z.string(),
  currency0: address,
  currency1: address,
  fee: z.number().transform(toPips),
}
