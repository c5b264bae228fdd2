import fc from 'fast-check'
import { createPublicClient, http, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toChainId } from '#src/core/units/chainId.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import {
  fullQueries,
  restMultiInputOf,
  restPriceOf,
  restQuoteOf,
} from '#test/support/clients/fullQueries.ts'
import {
  createOpenApiValidator,
  type OpenApiDocument,
} from '#test/support/clients/openApiValidator.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { withoutOrderId, withoutRandomness } from '#test/support/clients/withoutRandomness.ts'
import { readBalances } from '#test/support/gateways/readBalances.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'
import { newAccount } from '#test/support/wallets/newAccount.ts'

let stack: Stack
let rest: RestClient
beforeAll(async () => {
  stack = await startStack()
  rest = await createRestClient(stack.url)
})
afterAll(async () => {
  await stack.stop()
})

const chainIds = [990001, 990002, 990003]

describe('REST on the devnet', () => {
  it('answers the examples of its OpenAPI document', async () => {
    const document: OpenApiDocument = await (await fetch(`${stack.url}/openapi.json`)).json()
    for (const path of ['/price', '/quote/v2', '/execute/swap/multi-input', '/currencies/v2']) {
      const example = document.paths[path]?.['post']?.requestBody?.content['application/json']
      const answer = await rest.post(path, example?.example as object)
      if (path.startsWith('/quote') || path.startsWith('/execute'))
        expect(answer).toHaveProperty('steps.0.items.0.data.gas')
      if (path === '/currencies/v2') expect(answer).toHaveProperty('0.symbol', 'USDC')
    }
  })

  it('answers the calls in docs/rest.md', async () => {
    const calls = codeBlocks('sh', ['docs/rest.md']).flatMap(({ text }) =>
      text.split(/^curl -s /m).slice(1),
    )
    expect(calls).toHaveLength(10)
    for (const call of calls) {
      const [, path = '', query = ''] = /localhost:4000([^\s'?]+)(\?[^\s']+)?/.exec(call) ?? []
      const [, body] = /-d '([^']+)'/.exec(call) ?? []
      const answer = body === undefined ? rest.get(path, query) : rest.post(path, JSON.parse(body))
      expect(await answer).not.toEqual([])
    }
  })

  it('lists chains whose RPC endpoints and contracts are reachable', async () => {
    const { chains } = (await rest.get('/chains')) as {
      chains: {
        id: number
        httpRpcUrl: string
        depositEnabled: boolean
        contracts: Record<string, string>
        erc20Currencies: { symbol: string; supportsBridging: boolean }[]
      }[]
    }
    expect(chains.map(({ id }) => id)).toEqual(chainIds)
    for (const { id, httpRpcUrl, depositEnabled, contracts, erc20Currencies } of chains) {
      const client = createPublicClient({ transport: http(httpRpcUrl) })
      expect(await client.getChainId()).toBe(id)
      for (const address of Object.values(contracts))
        expect(await client.getCode({ address: address as `0x${string}` })).toMatch(/^0x[0-9a-f]+$/)
      expect(contracts).toMatchObject(stack.contractsOn(id))
      expect(depositEnabled).toBe(true)
      const bridged = erc20Currencies.filter((each) => each.supportsBridging)
      expect(bridged.map(({ symbol }) => symbol)).toEqual(expect.arrayContaining(['USDC', 'USDT']))
      expect(erc20Currencies.length).toBeGreaterThan(bridged.length)
    }
  })

  it('returns a USD price for priced currencies only', async () => {
    const validator = createOpenApiValidator(
      await (await fetch(`${stack.url}/openapi.json`)).json(),
    )
    const outcomes = new Set<string>()
    for (const chainId of chainIds) {
      const found = (await rest.post('/currencies/v2', { chainIds: [chainId], limit: 100 })) as {
        address: string
      }[]
      const known = new Map<string, bigint>(stack.market.latest(toChainId(chainId))?.usdPrices)
      for (const { address } of found) {
        const query = `?chainId=${chainId}&address=${address}`
        const response = await fetch(`${stack.url}/currencies/token/price${query}`)
        const body = await response.json()
        const price = known.get(address)
        outcomes.add(`${response.status}`)
        if (price === undefined) {
          expect(body).toMatchObject({ errorCode: 'UNSUPPORTED_CURRENCY' })
          expect(validator.errorFaults(400, body)).toEqual([])
        } else expect(body.price / Number(price)).toBeCloseTo(1e-18, 30)
      }
    }
    expect([...outcomes].sort()).toEqual(['200', '400'])
  })

  it.each([
    [990001, 990002, 10n ** 18n],
    [990001, 990002, 3n * 10n ** 16n],
    [990002, 990001, 7n * 10n ** 17n],
    [990002, 990001, 10n ** 17n + 1n],
  ])(
    'the largest amount from chain %i to %i can be sent with the gas fields of its quote',
    async (originChainId, destinationChainId, balance) => {
      const user = newAccount()
      const { rpcUrl = '' } =
        stack.devnet.description.chains.find(({ id }) => id === originChainId) ?? {}
      await createAnvilClient(rpcUrl).setBalance({ address: user, value: balance })
      const query = `?originChainId=${originChainId}&destinationChainId=${destinationChainId}&user=${user}`
      const limits = async () =>
        (await rest.get('/config/v2', query)) as {
          user: { balance: string; maxBridgeAmount: string }
        }
      const { user: held } = await vi.waitFor(async () => {
        const answer = await limits()
        expect(answer.user.balance).toBe(`${balance}`)
        return answer
      }, patience)
      expect(BigInt(held.maxBridgeAmount)).toBeGreaterThan((balance * 9n) / 10n)
      for (const tradeType of ['EXACT_INPUT', 'EXACT_OUTPUT']) {
        const order = {
          user,
          recipient: user,
          originChainId,
          destinationChainId,
          originCurrency: zeroAddress,
          destinationCurrency: zeroAddress,
          amount: held.maxBridgeAmount,
          tradeType,
        }
        // A quote has no gas limit if the node of a busy machine does not answer in time.
        const { value, gas, maxFeePerGas } = await vi.waitFor(async () => {
          const quote = (await rest.post('/quote/v2', order)) as {
            steps: { items: { data: { value: string; gas?: string; maxFeePerGas: string } }[] }[]
          }
          const [{ gas, ...data }] = quote.steps.flatMap(({ items }) =>
            items.map(({ data }) => data),
          ) as [{ value: string; gas?: string; maxFeePerGas: string }]
          if (gas === undefined) throw new Error('The quote has no gas limit')
          return { ...data, gas }
        }, patience)
        expect(BigInt(value) + BigInt(gas) * BigInt(maxFeePerGas)).toBeLessThanOrEqual(balance)
      }
    },
  )

  it('finds a currency by its address that is in no list and in no pool', async () => {
    const address = stack.currencyOn(990001, 'DUNE')
    const found = await rest.post('/currencies/v2', { chainIds, address })
    expect(found).toMatchObject([{ chainId: 990001, symbol: 'DUNE', vmType: 'evm' }])
  })
})

describe('REST and GraphQL on one market', () => {
  // The chains stop with the market: nodes refuse calls at a block that has become too old.
  const done = Promise.withResolvers<void>()
  beforeAll(async () => {
    await stack.market.close()
    for (const chainId of chainIds) void stack.devnet.suspendMining(chainId, () => done.promise)
    // An answer has no balance that takes the node longer than 250 ms. Those of one block are read once.
    for (const chainId of chainIds) {
      const currencies = symbols.map((symbol) => addressOf({ chainId, symbol }))
      await readBalances(stack, { chainId, currencies, users: [0, 1, 2].map(accountAt) })
    }
  })
  afterAll(() => done.resolve())

  const symbols = ['ETH', 'WETH', 'USDC', 'USDT', 'DAI', 'WBTC', 'ACORN', 'ELM', 'FERN', 'BNB']
  const end = fc.record({
    chainId: fc.constantFrom(...chainIds),
    symbol: fc.constantFrom(...symbols),
  })

  const ends = {
    destination: end,
    amount: fc
      .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 3, max: 18 }))
      .map(([digits, zeros]) => `${digits}${'0'.repeat(zeros)}`),
    slippageTolerance: fc.option(fc.constantFrom('0', '50', '51', '9999', '10000', '10001')),
  }

  const order = fc.record({
    origin: end,
    ...ends,
    tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
    appFees: fc.option(
      fc.constant([{ recipient: '0x00000000000000000000000000000000000000fe', fee: '25' }]),
    ),
  })

  type Wanted = typeof order extends fc.Arbitrary<infer Value> ? Value : never

  /** An order that has a price. */
  const ether: Wanted = {
    origin: { chainId: 990001, symbol: 'ETH' },
    amount: `1${'0'.repeat(18)}`,
    destination: { chainId: 990002, symbol: 'USDC' },
    tradeType: 'EXACT_INPUT',
    slippageTolerance: null,
    appFees: null,
  }

  /** Includes an address at which the chain has no currency. */
  const addressOf = ({ chainId, symbol }: Wanted['origin']) => {
    const chain = stack.devnet.description.chains.find(({ id }) => id === chainId)
    if (chain?.nativeCurrency.symbol === symbol) return `0x${'0'.repeat(40)}`
    const currency = chain?.currencies.find((each) => each.symbol === symbol)
    return currency?.address ?? `0x${'99'.repeat(20)}`
  }

  const accountAt = (index: number) => stack.devnet.description.accounts[index]?.address ?? ''

  const inputOf = ({ origin, destination, ...others }: Wanted) => ({
    user: accountAt(0),
    originChainId: origin.chainId,
    originCurrency: addressOf(origin),
    destinationChainId: destination.chainId,
    destinationCurrency: addressOf(destination),
    ...others,
  })

  const { destination, amount, slippageTolerance } = ends
  const multiOrder = fc.record({
    origins: fc.array(fc.record({ origin: end, amount, by: fc.constantFrom(0, 1, 2) }), {
      minLength: 1,
      maxLength: 4,
    }),
    destination,
    output: fc.option(amount),
    slippageTolerance,
  })

  type MultiWanted = typeof multiOrder extends fc.Arbitrary<infer Value> ? Value : never

  const twoPayers: MultiWanted = {
    ...ether,
    output: null,
    origins: ([0, 1] as const).map((by) => ({ ...ether, by })),
  }

  const multiInputOf = ({ origins, destination, output, slippageTolerance }: MultiWanted) => ({
    user: accountAt(0),
    origins: origins.map(({ origin, amount, by }) => ({
      chainId: origin.chainId,
      currency: addressOf(origin),
      amount,
      ...(by > 0 && { user: accountAt(by) }),
    })),
    destinationChainId: destination.chainId,
    destinationCurrency: addressOf(destination),
    tradeType: output === null ? 'EXACT_INPUT' : 'EXACT_OUTPUT',
    amount: output,
    slippageTolerance,
  })

  /**
   * Sends one input by REST and GraphQL. Returns both answers, or checks that both errors have the same code and
   * message.
   */
  async function askBoth(field: keyof typeof fullQueries, path: string, input: object) {
    const { data, errors } = await stack.query<Record<string, unknown>, object>(
      fullQueries[field],
      { input },
    )
    const response = await fetch(`${stack.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const body = (await response.json()) as Record<string, unknown>
    const [error] = errors ?? []
    if (error === undefined && response.status === 200) return { said: data?.[field], body }
    // GraphQL paths start with the argument name.
    const message = error?.message.replaceAll('input.', '')
    expect([body['errorCode'], body['message']]).toEqual([error?.extensions['code'], message])
    expect(body['errorCode']).not.toBe('UNKNOWN_ERROR')
    return undefined
  }

  /** Without what a busy node may not report in time: balances, and what follows from them. */
  const withoutReads = (answer: unknown): Record<string, unknown> =>
    JSON.parse(
      JSON.stringify(answer, (key, value) =>
        ['userBalance', 'issues'].includes(key) ? undefined : value,
      ),
    )

  it('give the same price for any order', async () => {
    let priced = 0
    await fc.assert(
      fc.asyncProperty(order, async (wanted) => {
        const both = await askBoth('price', '/price', inputOf(wanted))
        if (both === undefined) return
        priced += 1
        expect(withoutReads(both.body)).toEqual(withoutReads(restPriceOf(both.said)))
      }),
      { numRuns: runs(100, 20), examples: [[ether]] },
    )
    expect(priced).toBeGreaterThan(0)
  })

  it('give the same quote for any order, except for random values', async () => {
    let quoted = 0
    await fc.assert(
      fc.asyncProperty(order, async (wanted) => {
        const both = await askBoth('quote', '/quote/v2', inputOf(wanted))
        if (both === undefined) return
        quoted += 1
        const [byRest, byGraphql] = [both.body, restQuoteOf(both.said)].map(withoutReads)
        expect(withoutRandomness(byRest)).toEqual(withoutRandomness(byGraphql))
      }),
      { numRuns: runs(60, 15), examples: [[ether]] },
    )
    expect(quoted).toBeGreaterThan(0)
  })

  it('give the same multi-input quote for any order, except for random values', async () => {
    let quoted = 0
    await fc.assert(
      fc.asyncProperty(multiOrder, async (wanted) => {
        const path = '/execute/swap/multi-input'
        const both = await askBoth('multiInputQuote', path, multiInputOf(wanted))
        if (both === undefined) return
        quoted += 1
        const [byRest, byGraphql] = [both.body, restMultiInputOf(both.said)]
          .map(withoutReads)
          .map(withoutOrderId)
        expect(withoutRandomness(byRest)).toEqual(withoutRandomness(byGraphql))
      }),
      { numRuns: runs(100, 30), examples: [[twoPayers]] },
    )
    expect(quoted).toBeGreaterThan(0)
  })
})
