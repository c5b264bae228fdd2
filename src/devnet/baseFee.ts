import type { AnvilClient } from './anvilClient.ts'
import type { Random } from './random.ts'

/**
 * Sets the next block's base fee to within a tenth of `usual`: nearly empty blocks would bring it
 * down by an eighth each.
 */
export const setBaseFee = (client: AnvilClient, usual: bigint, random: Random): Promise<void> =>
  client.setNextBlockBaseFeePerGas({
    baseFeePerGas: (usual * (900n + BigInt(Math.floor(random() * 201)))) / 1000n,
  })
