import { encodeFunctionData, erc20Abi, maxUint256 } from 'viem'
import type { Address } from '#src/core/units/address.ts'
import type { DeployedCurrency } from '#src/devnet/deployment/deployCurrencies.ts'
import type { TransactionQueue } from './transactionQueue.ts'

/** Queues unlimited allowances of the queue's account: for each currency and each of `spenders`. */
export function allowSpenders(
  queue: TransactionQueue,
  currencies: readonly DeployedCurrency[],
  spenders: readonly Address[],
): void {
  for (const { address } of currencies)
    for (const spender of spenders) {
      const args = [spender, maxUint256] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      queue.send({ to: address, data })
    }
}
