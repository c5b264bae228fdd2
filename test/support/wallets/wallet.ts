import type { TransactionReceipt } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { DevnetDescription } from '#src/devnet/describeDevnet.ts'
import type { Step as QuotedStep } from '#src/protocol/step.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'

type StepData = Readonly<{
  to: string
  data: string
  value: string
  chainId: number
  gas?: string | null
  maxFeePerGas: string
  maxPriorityFeePerGas: string
}>

/** The fields of a quote's step that a wallet reads. */
type Step = Readonly<{ items: readonly Readonly<{ data: StepData }>[] }>

type Call = Readonly<{ to: string; data: string; value?: bigint }>

/** A devnet account that executes steps. The chains mine after each of its transactions. */
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
      // A fixed gas limit avoids eth_estimateGas, which would reject a transaction that reverts.
      gas: gas == null ? 5_000_000n : BigInt(gas),
      maxFeePerGas: BigInt(data.maxFeePerGas),
      maxPriorityFeePerGas: BigInt(data.maxPriorityFeePerGas),
    })

  /** Sends these items of one chain in one block. */
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
    /** Executes every item of every step in order. Returns the receipts. */
    execute: async (steps: readonly Step[]): Promise<readonly TransactionReceipt[]> => {
      const receipts: TransactionReceipt[] = []
      for (const data of dataOf(steps)) receipts.push(...(await send(data.chainId, [data])))
      return receipts
    },
    /** Executes all items at once. All must be on this chain and independent of each other. */
    executeAtOnce: (chainId: number, steps: readonly Step[]) => send(chainId, dataOf(steps)),
    /** Sends any other call. Returns the receipt. */
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

/** Formats a step as the API returns it, with amounts as strings. */
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
