import { erc20Abi, type TransactionReceipt } from 'viem'
import { expect } from 'vitest'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { isNative } from '#src/core/units/currency.ts'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { Step } from '#src/protocol/step.ts'
import type { DeployedTestChain } from '#test/support/chains/deployedChain.ts'

export const balanceOn = (
  client: AnvilClient,
  currency: Address,
  holder: Address,
): Promise<bigint> =>
  isNative(currency)
    ? client.getBalance({ address: holder })
    : client.readContract({
        address: currency,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      })

/** Executes steps from unlocked accounts, one block per transaction. Every transaction must succeed. */
export async function executeSteps(
  client: AnvilClient,
  steps: readonly Step[],
): Promise<readonly TransactionReceipt[]> {
  const receipts: TransactionReceipt[] = []
  for (const { data } of steps.flatMap(({ items }) => items)) {
    const { from, to, value, maxFeePerGas, maxPriorityFeePerGas } = data
    const hash = await client.sendTransaction({
      account: from,
      chain: null,
      to,
      data: data.data,
      value,
      gas: 10_000_000n,
      maxFeePerGas,
      maxPriorityFeePerGas,
    })
    await client.mine({ blocks: 1 })
    const receipt = await client.getTransactionReceipt({ hash })
    expect(receipt.status).toBe('success')
    receipts.push(receipt)
  }
  return receipts
}

/** Checks that no balance and no allowance remains: the next caller could take it. */
export async function expectEmptyRouter({ client, deployed }: DeployedTestChain): Promise<void> {
  const { contracts, currencies } = deployed
  const held = await Promise.all(
    [nativeAddress, ...currencies.map(({ address }) => address)].flatMap((currency) =>
      [contracts.router, contracts.approvalProxy].map((holder) =>
        balanceOn(client, currency, holder),
      ),
    ),
  )
  expect(held.every((amount) => amount === 0n)).toBe(true)
}
