import { expect, test } from 'vitest'
import { type AnvilClient, createAnvilClient, startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { mineAtUsualFee } from './sendUntilMined.ts'

const [plan] = chainPlans

/** A client whose first `times` base fees another miner uses. */
function withRival(client: AnvilClient, times: number): AnvilClient {
  let left = times
  return {
    ...client,
    setNextBlockBaseFeePerGas: async (fee) => {
      await client.setNextBlockBaseFeePerGas(fee)
      if (left === 0) return
      left -= 1
      await client.mine({ blocks: 1 })
    },
  }
}

test.each([0, 1, 3])(
  'the last block has the usual fee though a rival takes %i of them',
  async (times) => {
    const anvil = await startAnvil({
      chainId: plan.id,
      options: ['--no-mining', '--block-base-fee-per-gas', `${plan.baseFeePerGas}`],
    })
    try {
      const client = createAnvilClient(anvil.rpcUrl)
      await mineAtUsualFee(withRival(client, times))
      const { number, baseFeePerGas } = await client.getBlock()
      expect([number, baseFeePerGas]).toEqual([BigInt(1 + 2 * times), plan.baseFeePerGas])
    } finally {
      await anvil.stop()
    }
  },
)
