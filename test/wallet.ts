import { createWalletClient, http, type TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/anvilClient.ts'
import type { DevnetDescription } from '#src/devnet/describe.ts'

/** A step of a quote as clients get it, as far as a wallet looks at it. */
type Step = Readonly<{
  items: readonly Readonly<{
    data: Readonly<{
      to: string
      data: string
      value: string
      chainId: number
      gas?: string | null
      maxFeePerGas: string
      maxPriorityFeePerGas: string
    }>
  }>[]
}>

/** An account of the devnet that does what steps say. The chains mine when it has sent something. */
export function createWallet(
  { chains }: DevnetDescription,
  { privateKey }: Readonly<{ privateKey: `0x${string}` }>,
) {
  const account = privateKeyToAccount(privateKey)
  const clients = new Map(chains.map(({ id, rpcUrl }) => [id, createAnvilClient(rpcUrl)]))

  const clientOn = (chainId: number) => {
    const client = clients.get(chainId)
    if (client === undefined) throw new Error(`The devnet has no chain ${chainId}`)
    return client
  }

  async function send(data: Step['items'][number]['data']): Promise<TransactionReceipt> {
    const chain = chains.find(({ id }) => id === data.chainId)
    const client = clientOn(data.chainId)
    const wallet = createWalletClient({ account, transport: http(chain?.rpcUrl) })
    const hash = await wallet.sendTransaction({
      chain: null,
      to: data.to as `0x${string}`,
      data: data.data as `0x${string}`,
      value: BigInt(data.value),
      // Without a limit of the quote's own the node would be asked for one, and refuse what reverts.
      gas: data.gas == null ? 5_000_000n : BigInt(data.gas),
      maxFeePerGas: BigInt(data.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(data.maxPriorityFeePerGas),
    })
    await mineAtSameFee(client)
    return client.waitForTransactionReceipt({ hash })
  }

  return {
    address: account.address,
    clientOn,
    /** Every item of every step in turn: the receipts. */
    execute: async (steps: readonly Step[]): Promise<readonly TransactionReceipt[]> => {
      const receipts: TransactionReceipt[] = []
      for (const { data } of steps.flatMap(({ items }) => items)) receipts.push(await send(data))
      return receipts
    },
  }
}

/** Mined between the devnet's own blocks, empty ones would halve the base fee within seconds. */
async function mineAtSameFee(client: AnvilClient): Promise<void> {
  const { baseFeePerGas } = await client.getBlock()
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 0n })
  await client.mine({ blocks: 1 })
}

export type Wallet = ReturnType<typeof createWallet>
