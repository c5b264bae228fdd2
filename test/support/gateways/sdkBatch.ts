import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { createClient, executeGaslessBatch } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createWalletClient, type Hex, http } from 'viem'
import { onTestFinished } from 'vitest'
import { batchOf } from '#test/support/wallets/batchCalls.ts'
import type { GaslessUser } from './gaslessUser.ts'

type Batch = Readonly<{
  url: string
  apiKey: string
  user: GaslessUser
  chainId: number
  /** Address of Multicall3. The account delegates to it in place of the SDK's batch executor. */
  executor: Hex
  order: Readonly<{
    currency: string
    toChainId: number
    toCurrency: string
    amount: string
    recipient: string
  }>
}>

/** A server of the frontend. It adds the API key, because the SDK sends the key only to its own hosts. */
async function startKeyProxy(url: string, apiKey: string) {
  const server = createServer(async (request, response) => {
    const { method = 'GET', headers } = request
    const sent = await text(request)
    const answer = await fetch(`${url}${request.url}`, {
      method,
      headers: { 'content-type': 'application/json', 'x-api-key': apiKey },
      ...(headers['content-length'] !== undefined && { body: sent }),
    })
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(await answer.text())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Lets the official SDK quote an order and send it as one batch of the user's account. Returns its id and progress. */
export async function executeSdkBatch({ url, apiKey, user, chainId, executor, order }: Batch) {
  const client = createClient({
    baseApiUrl: await startKeyProxy(url, apiKey),
    apiKey,
    source: 'app.example',
    pollingInterval: 100,
    maxPollingAttemptsBeforeTimeout: 10_000,
  })
  await configureDynamicChains()
  const chain = client.chains.find(({ id }) => id === chainId)
  const quote = await client.actions.getQuote({
    chainId,
    ...order,
    user: user.account.address,
    tradeType: 'EXACT_INPUT',
  })
  const reported: string[] = []
  const { requestId } = await executeGaslessBatch({
    quote,
    walletClient: createWalletClient({
      account: user.account,
      transport: http(chain?.httpRpcUrl ?? ''),
      ...(chain?.viemChain && { chain: chain.viemChain }),
    }),
    executor: {
      address: executor,
      abi: [],
      originGasOverhead: 80_000,
      // Multicall3 checks no signature, so the signed data do not matter.
      eip712Types: { Batch: [{ name: 'nonce', type: 'uint256' }] },
      eip712PrimaryType: 'Batch',
      salt: `0x${'00'.repeat(32)}`,
      buildSignDomain: (id, verifyingContract) => ({
        name: 'Batch',
        version: '1',
        chainId: BigInt(id),
        verifyingContract,
        salt: `0x${'00'.repeat(32)}`,
      }),
      buildSignMessage: (calls, nonce) => ({ calls, nonce }),
      encodeExecute: ({ calls }) => batchOf(calls as Parameters<typeof batchOf>[0]),
      getNonce: async () => 0n,
    },
    onProgress: ({ status }) => reported.push(status),
  })
  return { requestId, reported }
}
