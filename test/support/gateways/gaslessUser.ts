import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  maxUint256,
  parseAbi,
  type TypedDataDefinition,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { users } from '#src/devnet/accounts.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { permit2Address } from '#src/protocol/contracts/protocolContracts.ts'
import { sendUntilMined } from '#test/support/chains/sendUntilMined.ts'
import type { Stack } from './stack.ts'

type Json = Readonly<Record<string, unknown>>

/** A signature step of a quote, as REST sends it. */
export type SignatureStep = Readonly<{
  id: string
  kind: string
  requestId: Hex
  description: string
  items: readonly SignatureItem[]
}>

export type SignatureItem = Readonly<{
  data: Readonly<{
    sign: TypedDataDefinition & { value: Json }
    post: { endpoint: string; body: Json }
    witness?: Json
  }>
  check?: Json
}>

/** @source EIP-2612 */
export const permitAbi = parseAbi([
  'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
])

const [rich] = users
const payer = privateKeyToAccount(rich.privateKey)

/** An account that holds currencies of a chain, and no native currency. */
export async function createGaslessUser(
  stack: Stack,
  chainId: number,
  holdings: Readonly<Record<string, bigint>>,
) {
  const account = privateKeyToAccount(generatePrivateKey())
  const described = stack.devnet.description.chains.find(({ id }) => id === chainId)
  const client = createAnvilClient(described?.rpcUrl ?? '')
  const addressOf = (symbol: string) => stack.currencyOn(chainId, symbol) as Hex

  /**
   * Sends a call from another account than the user, or deploys a contract if there is no `to`. Waits for its block.
   */
  async function send(by: typeof payer, to: Hex | null, data: Hex): Promise<void> {
    const [nonce, { maxFeePerGas, maxPriorityFeePerGas }] = await Promise.all([
      client.getTransactionCount({ address: by.address, blockTag: 'pending' }),
      client.estimateFeesPerGas(),
    ])
    const raw = await by.signTransaction({
      chainId,
      nonce,
      to,
      data,
      gas: 500_000n,
      maxFeePerGas: 2n * maxFeePerGas,
      maxPriorityFeePerGas,
    })
    const [receipt] = await sendUntilMined(client, [raw])
    if (receipt?.status !== 'success') throw new Error('A transaction reverted')
  }

  for (const [symbol, amount] of Object.entries(holdings)) {
    const args = [account.address, amount] as const
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args })
    await send(payer, addressOf(symbol), data)
  }

  return {
    account,
    client,
    send,
    addressOf,
    balanceOf: (symbol: string, holder: Hex = account.address) =>
      client.readContract({
        address: addressOf(symbol),
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      }),
    /**
     * The one-time approval of a currency without permits for Permit2. The user gets the gas for it, and keeps none.
     */
    approvePermit2: async (symbol: string) => {
      const { address } = account
      await client.setBalance({ address, value: 10n ** 18n })
      const args = [permit2Address, maxUint256] as const
      const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args })
      await send(account, addressOf(symbol), data)
      await client.setBalance({ address, value: 0n })
    },
  }
}

export type GaslessUser = Awaited<ReturnType<typeof createGaslessUser>>
