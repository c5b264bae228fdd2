import { custom, type Hex, keccak256, type TransactionReceipt } from 'viem'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { type ChainPlan, chainPlans } from '#src/devnet/plan/chainPlan.ts'
import { finalityBlocks } from './pace.ts'

/** Maximum number of blocks until all transactions are mined. */
const maxBlocks = 20

/**
 * Sends signed transactions until all are mined, and returns their receipts. Anvil sometimes loses a transaction
 * that arrives while it mines, so unmined ones are sent again.
 * @throws Error if some are still unmined after the maximum number of blocks.
 */
export async function sendUntilMined(
  client: AnvilClient,
  transactions: readonly Hex[],
): Promise<readonly TransactionReceipt[]> {
  const receipts = new Map<Hex, TransactionReceipt>()
  const missing = () => transactions.filter((each) => !receipts.has(each))
  for (let block = 0; block < maxBlocks && missing().length > 0; block += 1) {
    for (const serializedTransaction of missing())
      await client.sendRawTransaction({ serializedTransaction }).catch(ignoreKnown)
    await mineAtUsualFee(client)
    for (const each of missing()) {
      const receipt = await findReceipt(client, keccak256(each))
      if (receipt !== undefined) receipts.set(each, receipt)
    }
  }
  if (missing().length > 0) throw new Error(`${missing().length} transactions are in no block`)
  return transactions.flatMap((each) => receipts.get(each) ?? [])
}

/** A transport for external wallets: each transaction is mined before its hash is returned. */
export function miningTransport(rpcUrl: string) {
  const client = createAnvilClient(rpcUrl)
  return custom({
    request: async ({ method, params }) => {
      if (method !== 'eth_sendRawTransaction') return client.request({ method, params })
      await sendUntilMined(client, params)
      return keccak256(params[0])
    },
  })
}

const findReceipt = (client: AnvilClient, hash: Hex) =>
  client.getTransactionReceipt({ hash }).catch(() => undefined)

/** @throws any other error of the node. */
function ignoreKnown(error: Error): void {
  if (!/already (known|imported)|nonce too low/i.test(error.message)) throw error
}

/** Each empty block lowers the base fee by an eighth: after this number of blocks it is still above half. */
const blocksOfUsualFee = 4

/**
 * Mines blocks. The last one and every fourth have the chain's usual base fee, so that readers always get fees that
 * suffice for a transaction. The previous block's fee would not do: it falls with every block that the devnet mines in
 * parallel. Mines further blocks if another miner, such as the devnet's, uses or replaces the fee that was set.
 */
export async function mineAtUsualFee(client: AnvilClient, blocks = 1): Promise<void> {
  const chainId = await client.getChainId()
  const plan = chainPlans.find(({ id }) => id === chainId)
  if (plan === undefined) throw new Error(`The devnet has no chain ${chainId}`)
  for (let left = blocks; left > 0; left -= blocksOfUsualFee) {
    const cheaper = Math.min(left, blocksOfUsualFee) - 1
    if (cheaper > 0) await client.mine({ blocks: cheaper })
    do {
      await client.setNextBlockBaseFeePerGas({ baseFeePerGas: plan.baseFeePerGas })
      await client.mine({ blocks: 1 })
    } while (!(await hasUsualFee(client, plan)))
  }
}

/** Whether the base fee of the head is within a tenth of the usual one, as the devnet keeps it. */
async function hasUsualFee(
  client: AnvilClient,
  { baseFeePerGas: usual }: Pick<ChainPlan, 'baseFeePerGas'>,
): Promise<boolean> {
  const { baseFeePerGas: fee } = await client.getBlock()
  return fee === null || 10n * fee >= 9n * usual
}

/** Mines until all present blocks are final. */
export const mineUntilFinal = (client: AnvilClient): Promise<void> =>
  mineAtUsualFee(client, finalityBlocks + 2)

/** Like `mineAtUsualFee`. The last block is `seconds` after the present head. `blocks` is at most `seconds`. */
export async function mineSeconds(
  client: AnvilClient,
  seconds: number,
  blocks = seconds,
): Promise<void> {
  const { timestamp } = await client.getBlock()
  await mineAtUsualFee(client, blocks - 1)
  await client.setNextBlockTimestamp({ timestamp: timestamp + BigInt(seconds) })
  await mineAtUsualFee(client)
}
