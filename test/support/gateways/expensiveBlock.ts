import { expect, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { patience } from '#test/support/patience.ts'
import type { Stack } from './stack.ts'

/** Mines a block with twice the base fee of the head. Waits until the market of the stack has it. */
export async function mineExpensiveBlock(
  { devnet, market }: Stack,
  chainId: number,
): Promise<void> {
  const { rpcUrl = '' } = devnet.description.chains.find(({ id }) => id === chainId) ?? {}
  const client = createAnvilClient(rpcUrl)
  const { baseFeePerGas } = await client.getBlock()
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: 2n * (baseFeePerGas ?? 0n) })
  await client.mine({ blocks: 1 })
  const height = await client.getBlockNumber()
  await vi.waitFor(
    () => expect(market.latest(toChainId(chainId))?.block.number).toBeGreaterThanOrEqual(height),
    patience,
  )
}
