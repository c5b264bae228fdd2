import { erc20Abi } from 'viem'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type ConfigInput, parseConfig } from '#src/config/config.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { users } from '#src/devnet/accounts.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { readEventStream } from '#test/support/clients/readEventStream.ts'
import { createRestClient } from '#test/support/clients/restClient.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import {
  startUpstreamGateway,
  type UpstreamGateway,
  upstreamOf,
} from '#test/support/gateways/upstreamGateway.ts'
import { patience } from '#test/support/patience.ts'
import { createWallet, type Wallet } from '#test/support/wallets/wallet.ts'

const [ethereum, bnb] = [990001, 990003] as const

/** The configuration that the manual shows. */
const documented = JSON.parse(codeBlocks('json', ['docs/upstream.md'])[0]?.text ?? '') as {
  upstream: NonNullable<ConfigInput['upstream']>
}

/** The second service has all chains; the first one lacks all but one; the third has none. */
let second: Stack
let first: UpstreamGateway
let pure: UpstreamGateway
let wallet: Wallet
beforeAll(async () => {
  second = await startStack({}, ['gateway', 'tracker', 'solver'])
  const upstream = { ...documented.upstream, ...upstreamOf(second) }
  first = await startUpstreamGateway(second, { chainIds: [ethereum], upstream })
  pure = await startUpstreamGateway(second, { chainIds: [], upstream })
  wallet = createWallet(second.devnet.description, users[0])
})
afterAll(async () => {
  await pure?.stop()
  await first?.stop()
  await second?.stop()
})

const orderOf = (change: object = {}) => ({
  user: wallet.address,
  originChainId: ethereum,
  originCurrency: second.currencyOn(ethereum, 'USDC'),
  destinationChainId: bnb,
  destinationCurrency: second.currencyOn(bnb, 'USDC'),
  amount: '100000000',
  tradeType: 'EXACT_INPUT',
  useFallbacks: true,
  ...change,
})

const quoteDocument = `query Quote($input: QuoteInput!) { quote(input: $input) {
  requestId
  steps { name requestId items { data { from to data value chainId gas maxFeePerGas maxPriorityFeePerGas } check { endpoint } } }
  details { fallbackType operation currencyIn { amount currency { symbol } } currencyOut { amount minimumAmount } }
} }`

type Quote = {
  requestId: `0x${string}`
  steps: Parameters<Wallet['execute']>[0]
  details: { fallbackType: string | null; currencyOut: { minimumAmount: string } }
}

async function quoteOf({ query }: UpstreamGateway, change: object = {}): Promise<Quote> {
  const { data, errors } = await query<{ quote: Quote }, object>(quoteDocument, {
    input: orderOf(change),
  })
  if (!data?.quote) throw new Error(JSON.stringify(errors))
  return data.quote
}

type Status = { status: string; seq: number; txHashes: string[]; inTxHashes: string[] }

/** Every status of a request, until the subscription ends. */
async function* statusesOf({ post }: UpstreamGateway, requestId: string): AsyncGenerator<Status> {
  const query = `subscription { requestStatus(requestId: "${requestId}") { status seq txHashes inTxHashes } }`
  const response = await post({ query }, { accept: 'text/event-stream' })
  for await (const { event, data } of readEventStream(response)) {
    if (event === 'complete') return
    const { requestStatus } = (data as { data: { requestStatus: Status } }).data
    yield requestStatus
  }
}

const balanceOf = (chainId: number, address: string): Promise<bigint> =>
  wallet.clientOn(chainId).readContract({
    address: address as `0x${string}`,
    abi: erc20Abi,
    functionName: 'balanceOf',
    args: [wallet.address],
  })

it.each([
  ['with a chain and an ERC-20', () => first, () => ({})],
  [
    'without chains, for native currency,',
    () => pure,
    () => ({ originCurrency: nativeAddress, amount: `${10n ** 16n}` }),
  ],
])(
  'a gateway %s quotes, executes and follows a swap to a chain that it lacks',
  async (_, gatewayOf, change) => {
    const gateway = gatewayOf()
    const quote = await quoteOf(gateway, change())
    expect(quote.details.fallbackType).toBe('upstream')
    const statuses = statusesOf(gateway, quote.requestId)
    expect((await statuses.next()).value).toMatchObject({ status: 'waiting', seq: 0 })
    const recipient = () => balanceOf(bnb, second.currencyOn(bnb, 'USDC'))
    const before = await recipient()
    const receipts = await wallet.execute(quote.steps)
    expect(new Set(receipts.map(({ status }) => status))).toEqual(new Set(['success']))
    let last: Status | undefined
    for await (const status of statuses) last = status
    expect(last?.status).toBe('success')
    expect(last?.inTxHashes).toEqual([receipts.at(-1)?.transactionHash])
    expect(last?.txHashes).toHaveLength(1)
    expect((await recipient()) - before).toBeGreaterThanOrEqual(
      BigInt(quote.details.currencyOut.minimumAmount),
    )
    const rest = await createRestClient(gateway.url)
    const { requests } = (await rest.get('/requests/v2', `?id=${quote.requestId}`)) as {
      requests: object[]
    }
    expect(requests).toMatchObject([
      {
        id: quote.requestId,
        status: 'success',
        data: { metadata: { currencyOut: { currency: { chainId: bnb, symbol: 'USDC' } } } },
      },
    ])
  },
)

it('the manual shows a configuration that is valid, and a query that works', async () => {
  expect(parseConfig(documented, 'docs/upstream.md').chains).toEqual([])
  const [block] = codeBlocks('graphql', ['docs/upstream.md'])
  const { data, errors } = await pure.query<{ quote: Quote }, object>(block?.text ?? '')
  expect(errors).toBeUndefined()
  expect(data?.quote.details.fallbackType).toBe('upstream')
})

it('a price asks the other service only if our own pricing fails and the caller allows it', async () => {
  const query = `query Price($input: PriceInput!) { price(input: $input) { blocks { number } details { currencyOut { amount } route { origin { router } } } } }`
  const priceOf = (change: object) =>
    first.query<{ price: unknown }, object>(query, { input: orderOf(change) })
  const { data } = await priceOf({})
  expect(data?.price).toMatchObject({
    blocks: [],
    details: { route: { origin: { router: 'upstream' } } },
  })
  const { errors } = await priceOf({ useFallbacks: false })
  expect(errors?.[0]?.extensions['code']).toBe('UNSUPPORTED_CHAIN')
  const own = await priceOf({ destinationChainId: ethereum, destinationCurrency: nativeAddress })
  expect(own.data?.price).toMatchObject({ blocks: [{}] })
})

// The last one, as it stops the first service.
it('the next process follows a request that was paid while no process ran', async () => {
  const quote = await quoteOf(first)
  await first.stopSystem()
  await wallet.execute(quote.steps)
  const { system } = await first.restart()
  await vi.waitUntil(
    async () => (await first.store.find(quote.requestId))?.state.status === 'success',
    patience,
  )
  await system.stop()
})
