import { z } from 'zod'
import { address, blockNumber } from '#src/config/values.ts'

/** The fields of every factory, for all kinds of pools. */
export const factoryFields = {
  /** Name of these pools in quotes, such as "uniswap-v2". */
  source: z.string().min(1).max(64),
  factory: address,
  /** Block from which the factory's logs are searched for pools: the block of its deployment. */
  fromBlock: blockNumber.default(0n),
  /** The pairs whose pools are tracked. Empty: all pools of the factory are tracked. */
  pairs: z.array(z.tuple([address, address])).default([]),
}
