import type { Random } from '#src/devnet/plan/random.ts'
import type { AnvilClient } from './anvilClient.ts'

/**
 * Sets the next block's base fee to `usual` in wei, plus or minus a tenth. Otherwise each nearly empty block would
 * reduce the base fee by an eighth.
 */
export const setBaseFee = (client: AnvilClient, usual: bigint, random: Random): Promise<void> =>
  client.setNextBlockBaseFeePerGas({
    baseFeePerGas: (usual * (900n + BigInt(Math.floor(random() * 201)))) / 1000n,
  })
