import { encodeFunctionData, erc20Abi, getContractAddress, type Hex, maxUint256 } from 'viem'
import { type Address, toAddress } from '#src/core/units/address.ts'
import type { DeployedCurrency } from '#src/devnet/plan/chainPlan.ts'
import type { AnvilClient } from './anvilProcess.ts'

/**
 * Queues transactions of one account, so that a few blocks set up a whole chain. Contract addresses are known before
 * their deployment: they derive from the account and its nonce.
 */
export type TransactionQueue = Readonly<{
  account: Address
  deploy: (creationCode: Hex) => Address
  send: (call: Readonly<{ to: Address; data: Hex; value?: bigint }>) => void
  /**
   * Mines the whole queue in one block.
   * @throws Error that names the first transaction that reverted.
   */
  flush: () => Promise<void>
}>

type Queued = Readonly<{ nonce: number; to?: Address; data: Hex; value?: bigint }>

/** Gas limit: enough for every transaction of the set-up, and below the maximum of a transaction. */
const gas = 15_000_000n

/** @param account An account that anvil unlocks and that has sent nothing yet. */
export function createTransactionQueue(client: AnvilClient, account: Address): TransactionQueue {
  let nonce = 0
  let queue: Queued[] = []

  async function flush(): Promise<void> {
    const sent = queue
    queue = []
    await Promise.all(
      sent.map((each) =>
        client.sendTransaction({ ...each, account, chain: null, gas, ...transactionFees }),
      ),
    )
    await client.mine({ blocks: 1 })
    const { transactions } = await client.getBlock()
    if (transactions.length !== sent.length)
      throw new Error(`${transactions.length} of ${sent.length} transactions were mined`)
    const receipts = await Promise.all(
      transactions.map((hash) => client.getTransactionReceipt({ hash })),
    )
    const reverted = receipts.findIndex(({ status }) => status === 'reverted')
    if (reverted >= 0)
      throw new Error(`Transaction ${reverted} to ${receipts[reverted]?.to} reverted`)
  }

  return {
    account,
    deploy: (data) => {
      const contract = toAddress(getContractAddress({ from: account, nonce: BigInt(nonce) }))
      queue.push({ nonce: nonce++, data })
      return contract
    },
    send: (call) => {
      queue.push({ nonce: nonce++, ...call })
    },
    flush,
  }
}

/** Gas fees of the devnet's own transactions, in wei. Nodes estimate fees from them. */
export const transactionFees = {
  /** Above every chain's base fee. */
  maxFeePerGas: 100_000_000_000n,
  /** A low tip. Nodes estimate it as the usual tip of these chains. */
  maxPriorityFeePerGas: 1_000_000n,
}

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
