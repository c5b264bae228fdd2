import { createClient, type Execute, type ProgressData } from '@relayprotocol/relay-sdk'
import { configureDynamicChains } from '@relayprotocol/relay-sdk/chain-utils'
import { createPublicClient, createWalletClient, erc20Abi, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { miningTransport } from '#test/support/chains/sendUntilMined.ts'
import { bodyOf, startClient } from '#test/support/clients/webhookClient.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

const [ethereum, rollup] = [990001, 990002] as const
type Place = readonly [chainId: number, symbol: string]

/** The tools of existing clients: the published SDK and a viem wallet. */
let stack: Stack
let client: ReturnType<typeof createClient>
let shop: Awaited<ReturnType<typeof startClient>>
const apiKey = 'the key of a shop with a webhook'
beforeAll(async () => {
  shop = await startClient(200)
  const { webhookUrl } = shop
  stack = await startStack({ apiKeys: [{ name: 'shop', key: apiKey, webhookUrl }] }, [
    'gateway',
    'tracker',
    'solver',
  ])
  client = createClient({ baseApiUrl: stack.url, source: 'app.example', pollingInterval: 100 })
  client.configure({ confirmationPollingInterval: 100 })
  await configureDynamicChains()
})
afterAll(async () => {
  await stack.stop()
  shop.close()
})

afterEach(() => {
  vi.unstubAllGlobals()
  client.configure({ websocket: { enabled: false } })
})

/** Simulates a browser. Outside of a browser, the SDK polls instead of using WebSockets. */
function listenByWebSocket(): void {
  vi.stubGlobal('window', { WebSocket })
  vi.stubGlobal('WebSocket', WebSocket)
  const url = `${stack.url.replace('http', 'ws')}/ws`
  client.configure({ websocket: { enabled: true, url } })
}

const account = privateKeyToAccount(users[0].privateKey)

function walletOn(chainId: number) {
  const { viemChain, httpRpcUrl } = client.chains.find(({ id }) => id === chainId) ?? {}
  if (viemChain === undefined) throw new Error(`The SDK has no chain ${chainId}`)
  return createWalletClient({
    account,
    chain: viemChain,
    transport: miningTransport(httpRpcUrl ?? ''),
  })
}

async function balanceOf([chainId, symbol]: Place, holder: `0x${string}`): Promise<bigint> {
  const { httpRpcUrl } = client.chains.find(({ id }) => id === chainId) ?? {}
  const reader = createPublicClient({ transport: http(httpRpcUrl) })
  const address = stack.currencyOn(chainId, symbol) as `0x${string}`
  if (address === nativeAddress) return reader.getBalance({ address: holder })
  return reader.readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [holder] })
}

const quote = (
  from: Place,
  to: Place,
  amount: string,
  recipient: string,
  options = {},
  headers = {},
) =>
  client.actions.getQuote(
    {
      chainId: from[0],
      currency: stack.currencyOn(...from),
      toChainId: to[0],
      toCurrency: stack.currencyOn(...to),
      tradeType: 'EXACT_INPUT',
      amount,
      user: account.address,
      recipient,
      options,
    },
    false,
    headers,
  )

/** Executes a quote with the SDK. Returns the outcome and the progress lines that the SDK reports, without repetitions. */
async function execute(quoted: Execute) {
  const wallet = walletOn(quoted.details?.currencyIn?.currency?.chainId ?? 0)
  const lines: string[] = []
  let last: ProgressData | undefined
  const onProgress = (progress: ProgressData) => {
    last = progress
    const { currentStep, currentStepItem } = progress
    const line = `${currentStep?.id} ${currentStepItem?.checkStatus ?? ''}`.trim()
    if (currentStep != null && lines.at(-1) !== line) lines.push(line)
  }
  const outcome = await client.actions
    .execute({ quote: quoted, wallet, onProgress })
    .then(() => 'done')
    .catch((error: Error) => error.message)
  return { outcome, lines, last }
}

const requestIdOf = ({ steps }: Execute): string => steps.at(-1)?.requestId ?? ''

const statusOf = async (quoted: Execute): Promise<Record<string, unknown>> =>
  (await fetch(`${stack.url}/intents/status/v3?requestId=${requestIdOf(quoted)}`)).json()

const settled = (quoted: Execute, status: string) =>
  vi.waitFor(async () => expect(await statusOf(quoted)).toMatchObject({ status }), {
    ...patience,
    interval: 200,
  })

/** Number of REST requests so far for an operation, by code. */
async function answered(operation: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${stack.url}/metrics`)).text()
  const lines = text.matchAll(/_count\{operation="(\w+)",code="(\w+)",lane="rest"\} (\d+)/g)
  const codes = [...lines].filter(([, name]) => name === operation)
  return Object.fromEntries(codes.map(([, , code, count]) => [code, Number(count)]))
}

const toAddress = { useDepositAddress: true, strict: true, refundTo: account.address }

const trades: readonly [Place, Place, string, string[], object?][] = [
  [[ethereum, 'ETH'], [ethereum, 'USDC'], `${10n ** 17n}`, ['swap']],
  [[ethereum, 'USDC'], [ethereum, 'ETH'], '50000000', ['approve', 'swap']],
  [[ethereum, 'ETH'], [rollup, 'ETH'], `${10n ** 17n}`, ['deposit']],
  [[ethereum, 'USDC'], [rollup, 'USDC'], '50000000', ['approve', 'deposit']],
  [[rollup, 'ETH'], [ethereum, 'USDC'], `${10n ** 17n}`, ['deposit']],
  [[ethereum, 'USDC'], [rollup, 'USDC'], '50000000', ['deposit'], toAddress],
]

describe('the official SDK', () => {
  it('configures its chains from the gateway, with RPC endpoints for its wallet', async () => {
    const chains = await configureDynamicChains()
    expect(chains.map(({ id, viemChain }) => [id, viemChain?.nativeCurrency.symbol])).toEqual(
      stack.devnet.description.chains.map(({ id, nativeCurrency }) => [id, nativeCurrency.symbol]),
    )
    for (const { id } of chains) expect(await walletOn(id).getChainId()).toBe(id)
  })

  it.each(trades)('swaps %j into %j', async (from, to, amount, steps, options) => {
    const recipient = newAccount()
    const quoted = await quote(from, to, amount, recipient, options)
    expect(quoted.steps.map(({ id }) => id)).toEqual(steps)
    const { outcome, last } = await execute(quoted)
    expect([outcome, last?.error]).toEqual(['done', undefined])
    expect(
      last?.steps.every(({ items }) => items?.every((each) => each.status === 'complete')),
    ).toBe(true)
    await settled(quoted, 'success')
    const { minimumAmount } = quoted.details?.currencyOut ?? {}
    expect(await balanceOf(to, recipient)).toBeGreaterThanOrEqual(BigInt(minimumAmount ?? -1))
    const { txHashes, inTxHashes } = await statusOf(quoted)
    expect([txHashes, inTxHashes]).toEqual([[expect.any(String)], [expect.any(String)]])
  })

  it('pays an open address, and finds the payment by the address and by its request', async () => {
    const trade = [[ethereum, 'USDC'], [rollup, 'USDC'], '50000000'] as const
    const quoted = await quote(...trade, newAccount(), { useDepositAddress: true })
    expect((await statusOf(quoted))['status']).toBe('waiting')
    expect((await execute(quoted)).outcome).toBe('done')
    await settled(quoted, 'success')
    const list = async (filter: string) =>
      (await (await fetch(`${stack.url}/requests/v2?${filter}`)).json()).requests
    const { depositAddress: address } = quoted.steps[0] ?? {}
    const parentRequestId = requestIdOf(quoted)
    const [payment] = await list(`user=${address}`)
    expect(payment).toMatchObject({
      status: 'success',
      depositAddress: { address, depositAddressType: 'open' },
      data: { parentRequestId, metadata: { currencyIn: { amount: '50000000' } } },
    })
    expect(await list(`depositAddress=${address}`)).toEqual([])
    const data = { supersededByRequestId: payment.id }
    for (const filter of [`depositAddress=${address}`, `id=${parentRequestId}`])
      expect(await list(`${filter}&includeChildRequests=true`)).toMatchObject([
        { id: payment.id, status: 'success' },
        { id: parentRequestId, status: 'waiting', data },
      ])
    const query = `query ($of: RequestId!) { requests(parentRequestId: $of) { edges { node { requestId status parentRequestId orderId depositAddress { kind } } } } requestStatus(requestId: $of) { status supersededByRequestId } }`
    const answer = await fetch(`${stack.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { of: parentRequestId } }),
    })
    const { orderId } = payment.protocol
    const node = { requestId: payment.id, status: 'success', parentRequestId, orderId }
    expect((await answer.json()).data).toEqual({
      requests: { edges: [{ node: { ...node, depositAddress: { kind: 'open' } } }] },
      requestStatus: { status: 'waiting', ...data },
    })
  })

  it('receives the status of its request by WebSocket', async () => {
    listenByWebSocket()
    const before = await answered('requestStatus')
    const quoted = await quote([ethereum, 'ETH'], [rollup, 'ETH'], `${10n ** 17n}`, newAccount())
    const { outcome, lines } = await execute(quoted)
    expect(outcome).toBe('done')
    expect(lines).toEqual(['deposit', 'deposit pending', 'deposit submitted'])
    // The SDK did not poll.
    expect(await answered('requestStatus')).toEqual(before)
  })

  it.each([false, true])('reports a refund, by WebSocket: %s', async (byWebSocket) => {
    if (byWebSocket) listenByWebSocket()
    const quoted = await quote([ethereum, 'ETH'], [rollup, 'ETH'], `${10n ** 17n}`, newAccount(), {
      referrer: 'debug-force-refund',
    })
    const { outcome, last } = await execute(quoted)
    expect([outcome, last?.refunded]).toEqual(['Transaction failed: Refunded', true])
    expect(await statusOf(quoted)).toMatchObject({
      status: 'refund',
      failReason: expect.not.stringMatching('N/A'),
      refundFailReason: 'N/A',
      txHashes: [expect.any(String)],
    })
  })

  it('triggers the webhook of its API key', async () => {
    const headers = { 'x-api-key': apiKey }
    const trade = [[ethereum, 'ETH'], [rollup, 'ETH'], `${10n ** 17n}`] as const
    const quoted = await quote(...trade, newAccount(), {}, headers)
    expect((await execute(quoted)).outcome).toBe('done')
    const notified = () => shop.calls.map((call) => bodyOf(call).data)
    await vi.waitFor(() => expect(notified().at(-1)).toMatchObject({ status: 'success' }), patience)
    expect(notified().every((data) => data['requestId'] === requestIdOf(quoted))).toBe(true)
    const statuses = notified().map((data) => data['status'])
    expect([...new Set(statuses)]).toEqual(['waiting', 'pending', 'submitted', 'success'])
    expect(notified().at(-1)).toMatchObject({ txHashes: (await statusOf(quoted))['txHashes'] })
  })

  it('sends transaction hints, and the gateway accepts all of its requests', async () => {
    for (const operation of ['indexTransaction', 'indexSingleTransaction', 'quote', 'chains'])
      expect(Object.keys(await answered(operation))).toEqual(['OK'])
  })

  it('lists the history of its user page by page', async () => {
    const listed: { id: string; status: string }[] = []
    for (let continuation = ''; ; ) {
      const query = new URLSearchParams({ user: account.address, limit: '4' })
      if (continuation !== '') query.set('continuation', continuation)
      const page = await (await fetch(`${stack.url}/requests/v2?${query}`)).json()
      expect(page.requests.length).toBeLessThanOrEqual(4)
      listed.push(...page.requests)
      continuation = page.continuation ?? ''
      if (continuation === '') break
    }
    const statuses = listed.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(2).fill('refund'), ...Array(9).fill('success')])
    expect(new Set(listed.map(({ id }) => id)).size).toBe(11)
    const lost = await fetch(`${stack.url}/requests/v2?continuation=elsewhere`)
    expect(lost.status).toBe(400)
    expect(await lost.json()).toMatchObject({
      errorCode: 'INVALID_REQUEST',
      message: 'continuation: Not the `continuation` of a page',
    })
  })
})
