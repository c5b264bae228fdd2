import type { TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createAnvilClient } from '#src/devnet/chain/anvilClient.ts'
import type { DevnetDescription } from '#src/devnet/describe.ts'
import type { Step as QuotedStep } from '#src/execution/steps/step.ts'
import { sendUntilMined } from './sendUntilMined.ts'

type StepData = Readonly<{
  to: string
  data: string
  value: string
  chainId: number
  gas?: string | null
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}>

/** A step of a quote as clients get it, as far as a wallet looks at it. */
type Step = Readonly<{ items: readonly Readonly<{ data: StepData }>[] }>

type Call = Readonly<{ to: string; data: string; value?: bigint }>

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

  const sign = ({ chainId, gas, ...data }: StepData, nonce: number) =>
    account.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to: data.to as `0x${string}`,
      data: data.data as `0x${string}`,
      value: BigInt(data.value),
      // Without a limit of the quote's own the node would be asked for one, and refuse what reverts.
      gas: gas == null ? 5_000_000n : BigInt(gas),
      maxFeePerGas: BigInt(data.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(data.maxPriorityFeePerGas),
    })

  /** All of one chain, in one block. */
  async function send(
    chainId: number,
    items: readonly StepData[],
  ): Promise<readonly TransactionReceipt[]> {
    const client = clientOn(chainId)
    const { address } = account
    const first = await client.getTransactionCount({ address, blockTag: 'pending' })
    return sendUntilMined(
      client,
      await Promise.all(items.map((each, at) => sign(each, first + at))),
    )
  }

  return {
    address: account.address,
    clientOn,
    /** Every item of every step in turn: the receipts. */
    execute: async (steps: readonly Step[]): Promise<readonly TransactionReceipt[]> => {
      const receipts: TransactionReceipt[] = []
      for (const data of dataOf(steps)) receipts.push(...(await send(data.chainId, [data])))
      return receipts
    },
    /** Every item at once, where all are on this chain and none waits for another. */
    executeAtOnce: (chainId: number, steps: readonly Step[]) => send(chainId, dataOf(steps)),
    /** A transaction of its own making: the receipt. */
    call: async (chainId: number, { to, data, value = 0n }: Call): Promise<TransactionReceipt> => {
      const fees = { maxFeePerGas: `${10n ** 11n}`, maxPriorityFeePerGas: `${10n ** 9n}` }
      const [receipt] = await send(chainId, [{ to, data, value: `${value}`, chainId, ...fees }])
      if (receipt === undefined) throw new Error('No receipt')
      return receipt
    },
  }
}

const dataOf = (steps: readonly Step[]): readonly StepData[] =>
  steps.flatMap(({ items }) => items.map(({ data }) => data))

export type Wallet = ReturnType<typeof createWallet>

/** A step as clients get it: amounts as text. */
export const toWalletStep = ({ items }: QuotedStep) => ({
  items: items.map(({ data }) => ({
    data: {
      ...data,
      value: `${data.value}`,
      maxFeePerGas: `${data.maxFeePerGas}`,
      maxPriorityFeePerGas: `${data.maxPriorityFeePerGas}`,
    },
  })),
})
