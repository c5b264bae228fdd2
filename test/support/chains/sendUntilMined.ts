import { custom, type Hex, keccak256, type TransactionReceipt } from 'viem'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilClient.ts'
import { chainPlans } from '#src/devnet/plan/chainPlan.ts'

/** Blocks that transactions may take to be in one. */
const mostBlocks = 20

/**
 * The receipts of signed transactions, once blocks hold them all. Anvil at times loses what it is sent while it
 * mines: what is in no block is sent again.
 * @throws Error when some are in no block after many.
 */
export async function sendUntilMined(
  client: AnvilClient,
  transactions: readonly Hex[],
): Promise<readonly TransactionReceipt[]> {
  const receipts = new Map<Hex, TransactionReceipt>()
  const missing = () => transactions.filter((each) => !receipts.has(each))
  for (let block = 0; block < mostBlocks && missing().length > 0; block += 1) {
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

/** For wallets of others: what they send is in a block when they get its hash. */
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

/** @throws whatever else the node says. */
function ignoreKnown(error: Error): void {
  if (!/already (known|imported)|nonce too low/i.test(error.message)) throw error
}

/**
 * Mines blocks, the last one at the chain's usual base fee: each empty block takes an eighth from it. A fee that were
 * taken from the block before would fall further each time that the devnet mines meanwhile.
 */
export async function mineAtUsualFee(client: AnvilClient, blocks = 1): Promise<void> {
  const chainId = await client.getChainId()
  const plan = chainPlans.find(({ id }) => id === chainId)
  if (plan === undefined) throw new Error(`The devnet has no chain ${chainId}`)
  if (blocks > 1) await client.mine({ blocks: blocks - 1 })
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: plan.baseFeePerGas })
  await client.mine({ blocks: 1 })
}
