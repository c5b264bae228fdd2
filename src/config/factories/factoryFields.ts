import { z } from 'zod'
import { address, blockNumber } from '#src/config/values.ts'

/** What every factory has, whatever the kind of its pools. */
export const factoryFields = {
  /** Name of these pools in quotes, such as "uniswap-v2". */
  source: z.string().min(1).max(64),
  factory: address,
  /** Block from which the factory's logs are searched for pools: the block of its deployment. */
  fromBlock: blockNumber.default(0n),
  /** The pairs whose pools are tracked. If empty, all pools of the factory are. */
  pairs: z.array(z.tuple([address, address])).default([]),
}
