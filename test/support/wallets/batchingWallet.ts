import { randomBytes } from 'node:crypto'
import { type EIP1193RequestFn, type Hex, numberToHex, type PrivateKeyAccount, toHex } from 'viem'
import type { AnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { batchOf } from './batchCalls.ts'

/** What the wallet says of the capability `atomic`; undefined for a wallet without EIP-5792. */
export type Atomicity = 'supported' | 'ready' | 'unsupported' | undefined

type Call = Readonly<{ to: Hex; data?: Hex; value?: Hex }>
type Batch = Readonly<{ chainId: Hex; atomicRequired: boolean; calls: readonly Call[] }>
type Sent = Readonly<{ isAtomic: boolean; hashes: readonly Hex[] }>

const refusal = (code: number, message: string) => Object.assign(new Error(message), { code })

/**
 * A wallet of EIP-1193 and EIP-5792 for an account of the devnet. An atomic batch is one transaction of the account to
 * itself, with the code of Multicall3 (EIP-7702). Any other sends a transaction for each call.
 */
export function createBatchingWallet(
  account: PrivateKeyAccount,
  client: AnvilClient,
  { atomic, multicall3 }: Readonly<{ atomic: Atomicity; multicall3: Hex }>,
) {
  const batches = new Map<string, Sent>()
  const { address } = account

  async function send(call: Call, delegate?: Hex): Promise<Hex> {
    const [chainId, nonce, { maxFeePerGas, maxPriorityFeePerGas }] = await Promise.all([
      client.getChainId(),
      client.getTransactionCount({ address, blockTag: 'pending' }),
      client.estimateFeesPerGas(),
    ])
    const transaction = {
      chainId,
      nonce,
      to: call.to,
      data: call.data ?? '0x',
      value: BigInt(call.value ?? 0),
      gas: 1_000_000n,
      maxFeePerGas: 2n * maxFeePerGas,
      maxPriorityFeePerGas,
    } as const
    const signed =
      delegate === undefined
        ? await account.signTransaction(transaction)
        : await account.signTransaction({
            ...transaction,
            authorizationList: [
              // The account sends the transaction itself, which uses the nonce before.
              await account.signAuthorization({ chainId, address: delegate, nonce: nonce + 1 }),
            ],
          })
    return client.sendRawTransaction({ serializedTransaction: signed })
  }

  async function sendCalls({ chainId, atomicRequired, calls }: Batch): Promise<{ id: Hex }> {
    if (Number(chainId) !== (await client.getChainId())) throw refusal(5710, 'Unsupported chain')
    if (atomicRequired && atomic === 'unsupported') throw refusal(5760, 'Atomicity not supported')
    const hashes: Hex[] = []
    if (atomicRequired)
      hashes.push(
        await send(
          {
            to: address,
            data: batchOf(calls.map(({ to, data = '0x', value }) => ({ to, data, value }))),
            value: toHex(calls.reduce((sum, { value }) => sum + BigInt(value ?? 0), 0n)),
          },
          multicall3,
        ),
      )
    else for (const call of calls) hashes.push(await send(call))
    const id = toHex(randomBytes(32))
    batches.set(id, { isAtomic: atomicRequired, hashes })
    return { id }
  }

  async function callsStatus(id: string) {
    const sent = batches.get(id)
    if (sent === undefined) throw refusal(5730, 'Unknown bundle id')
    const found = await Promise.all(
      sent.hashes.map((hash) =>
        client.request({ method: 'eth_getTransactionReceipt', params: [hash] }),
      ),
    )
    const receipts = found.filter((receipt) => receipt !== null)
    return {
      version: '2.0.0',
      id,
      chainId: numberToHex(await client.getChainId()),
      atomic: sent.isAtomic,
      status: statusOf(found.map((receipt) => receipt?.status)),
      receipts,
    }
  }

  const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    const [first] = params as [unknown]
    if (method === 'eth_requestAccounts' || method === 'eth_accounts') return [address]
    if (method.startsWith('wallet_') && atomic === undefined)
      throw refusal(4200, `${method} is not supported`)
    if (method === 'wallet_getCapabilities')
      return { [numberToHex(await client.getChainId())]: { atomic: { status: atomic } } }
    if (method === 'wallet_sendCalls') return sendCalls(first as Batch)
    if (method === 'wallet_getCallsStatus') return callsStatus(String(first))
    return client.request({ method, params } as never)
  }
  return { request: request as EIP1193RequestFn, batches: batches as ReadonlyMap<string, Sent> }
}

/** @source EIP-5792 */
function statusOf(statuses: readonly (string | undefined)[]): number {
  if (statuses.includes(undefined)) return 100
  if (statuses.every((status) => status === '0x1')) return 200
  return statuses.includes('0x1') ? 600 : 500
}
