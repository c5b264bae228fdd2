import { parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { users } from '#src/devnet/accounts.ts'
import { createAnvilClient } from '#src/devnet/chain/anvilProcess.ts'
import type { QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { QuoteInput } from '#test/generated/graphql.ts'
import { createGraphqlClient, type GraphqlBody } from '#test/support/clients/graphqlClient.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { partialStore } from '#test/support/store/partialStore.ts'
import { createWallet } from '#test/support/wallets/wallet.ts'

const [ethereum, rollup] = [990001, 990002] as const
const sponsorKey = 'a-sponsor-of-many-users'
const plainKey = 'a-client-that-pays-nothing'

let stack: Stack
let gateway: Awaited<ReturnType<typeof stack.serve>>
/** Requests stored since the last call. */
let stored: QuotedRequest[] = []
beforeAll(async () => {
  stack = await startStack({
    apiKeys: [
      { name: 'sponsor', key: sponsorKey, sponsors: true },
      { name: 'plain', key: plainKey },
    ],
  })
  gateway = await stack.serve(partialStore({ put: async (request) => void stored.push(request) }))
})
afterAll(async () => {
  await gateway.close()
  await stack.stop()
})

const selection = `
  fees { relayer { amount amountUsd } relayerGas { amount } subsidized { amount } app { amount } }
  details {
    operation isFixedRate fixedRateFee { usd } fallbackType
    currencyIn { amount } currencyOut { amount minimumAmount }
    currencyGasTopup { amount amountUsd } expandedPriceImpact { sponsored { usd } }
    route { origin { includedSwapSources } destination { includedSwapSources } }
  }`
const executable = `requestId steps { name items { data { to data value chainId maxFeePerGas maxPriorityFeePerGas } } }
  protocol { v2 { orderId orderData paymentDetails { depository amount } } }`

// biome-ignore lint/suspicious/noExplicitAny: whole answers of many shapes.
type Quote = any

async function ask(
  change: Partial<QuoteInput>,
  { select = `${selection} ${executable}`, apiKey }: { select?: string; apiKey?: string } = {},
): Promise<GraphqlBody<{ quote: Quote }>> {
  stored = []
  const input = {
    user: users[0].address,
    originChainId: ethereum,
    originCurrency: stack.currencyOn(ethereum, 'USDC'),
    destinationChainId: rollup,
    destinationCurrency: stack.currencyOn(rollup, 'USDC'),
    amount: '100000000',
    tradeType: 'EXACT_INPUT',
    ...change,
  }
  return createGraphqlClient(gateway.url).query(
    `query Q($input: QuoteInput!) { quote(input: $input) { ${select} } }`,
    { input },
    apiKey === undefined ? {} : { 'x-api-key': apiKey },
  )
}

async function quote(...args: Parameters<typeof ask>): Promise<Quote> {
  const { data, errors } = await ask(...args)
  expect(errors).toBeUndefined()
  return data?.quote
}

async function refusal(...args: Parameters<typeof ask>) {
  const { errors } = await ask(...args)
  const { code, field, issues } = errors?.[0]?.extensions ?? {}
  return { code, at: field ?? (issues as { path: string[] }[])?.[0]?.path.join('.') }
}

describe('a quote', () => {
  it('stores nothing unless steps, protocol or requestId are selected', async () => {
    await quote({}, { select: selection })
    expect(stored).toEqual([])
    const { requestId } = await quote({}, { select: 'requestId' })
    expect(stored.map((request) => request.requestId)).toEqual([requestId])
    const { steps, protocol } = await quote({
      referrer: 'tests',
      referrerAddress: users[1].address,
    })
    expect(stored).toMatchObject([
      {
        execution: 'solver',
        orderId: protocol.v2.orderId,
        inputs: [{ depositAmount: 100000000n }],
        referrer: 'tests',
        referrerAddress: users[1].address,
      },
    ])
    expect(stored[0]?.steps.map(({ id }) => id.toUpperCase())).toEqual(
      steps.map(({ name }: { name: string }) => name),
    )
  })

  it('charges the sponsor’s account if its API key is sent, up to the sponsor’s limits', async () => {
    expect(await refusal({ subsidizeFees: true })).toEqual({
      code: 'UNAUTHORIZED',
      at: 'subsidizeFees',
    })
    expect(await refusal({}, { apiKey: 'nobody-has-this-key' })).toMatchObject({
      code: 'UNAUTHORIZED',
    })
    expect(await refusal({ subsidizeFees: true }, { apiKey: plainKey })).toEqual({
      code: 'FORBIDDEN',
      at: 'subsidizeFees',
    })
    const paid = await quote({ subsidizeFees: true }, { apiKey: sponsorKey })
    expect(paid.fees.subsidized).toEqual({ amount: paid.fees.relayer.amount })
    expect(paid.details.currencyOut.amount).toBe('100000000')
    expect(paid.details.expandedPriceImpact.sponsored.usd).toBe(paid.fees.relayer.amountUsd)
    expect(stored).toMatchObject([{ apiKey: 'sponsor' }])
    expect(stored[0]?.subsidizedUsd).toBeGreaterThan(0n)
    const tooDear = await quote(
      { subsidizeFees: true, maxSubsidizationAmount: '1' },
      { apiKey: sponsorKey },
    )
    expect(tooDear.fees.subsidized.amount).toBe('0')
    expect(stored).toMatchObject([{ apiKey: 'sponsor', subsidizedUsd: 0n }])
  })

  it('includes a gas top-up, which is also part of its order', async () => {
    const plain = await quote({})
    const { details, fees, protocol } = await quote({ topupGas: true, topupGasAmount: '5000000' })
    expect(Number(details.currencyGasTopup.amountUsd)).toBeCloseTo(5, 3)
    expect(protocol.v2.orderData.output.payments[1]).toMatchObject({
      recipient: users[0].address,
      currency: `0x${'0'.repeat(40)}`,
      minimumAmount: '0',
      expectedAmount: details.currencyGasTopup.amount,
    })
    expect(BigInt(fees.relayerGas.amount)).toBeGreaterThanOrEqual(
      BigInt(plain.fees.relayerGas.amount) + 4_900_000n,
    )
    expect(await refusal({ topupGasAmount: '1' })).toMatchObject({ at: 'topupGasAmount' })
  })

  it('guarantees the exact output at a fixed rate', async () => {
    const { details } = await quote({ fixedRate: '100' })
    expect(details).toMatchObject({ isFixedRate: true, fixedRateFee: { usd: '1.000000' } })
    expect(details.currencyOut.minimumAmount).toBe(details.currencyOut.amount)
  })

  it('uses allowed swap sources only', async () => {
    const swap = { destinationCurrency: stack.currencyOn(rollup, 'ACORN') }
    const sources = async (change: Partial<QuoteInput>) =>
      (await quote({ ...swap, ...change })).details.route.destination.includedSwapSources
    expect(await sources({ includedSwapSources: ['uniswap-v2'] })).toEqual(['uniswap-v2'])
    expect(await sources({ excludedSwapSources: ['uniswap-v2'] })).toEqual(['uniswap-v3'])
    expect(await sources({ includedDestinationSwapSources: ['uniswap-v2'] })).toEqual([
      'uniswap-v2',
    ])
    expect(await sources({ includedSwapSources: [], excludedSwapSources: [] })).toEqual(
      await sources({}),
    )
    expect(
      await sources({ includedSwapSources: ['uniswap-v2'], includedDestinationSwapSources: [] }),
    ).toEqual(['uniswap-v2'])
    expect(await refusal({ includedOriginSwapSources: ['sushi'] })).toEqual({
      code: 'INVALID_REQUEST',
      at: 'includedOriginSwapSources.0',
    })
  })

  it('rejects swaps with a high price impact, unless the caller allows them', async () => {
    const ruinous = {
      originCurrency: stack.currencyOn(ethereum, 'WBTC'),
      destinationChainId: ethereum,
      destinationCurrency: stack.currencyOn(ethereum, 'CEDAR'),
      amount: `${10n ** 10n}`,
    }
    const { errors } = await ask(ruinous)
    expect(errors?.[0]?.extensions['code']).toBe('SWAP_IMPACT_TOO_HIGH')
    expect(errors?.[0]?.message).toMatch(/^Swap impact is too high: -\d+\.\d\d%/)
    await quote({ ...ruinous, overridePriceImpact: true })
  })

  it('does not accept our contracts as recipients', async () => {
    const { router } = stack.contractsOn(rollup)
    const { router: home, approvalProxy, depository } = stack.contractsOn(ethereum)
    const payees: [at: string, Partial<QuoteInput>][] = [
      ['recipient', { recipient: router }],
      ['refundTo', { refundTo: depository }],
      // The recipient gets refunds unless the request names another account.
      ['refundTo', { recipient: home }],
      ['appFees.0.recipient', { appFees: [{ recipient: approvalProxy, fee: '1' }] }],
    ]
    for (const [at, change] of payees)
      expect(await refusal(change)).toEqual({ code: 'INVALID_RECIPIENT', at })
  })

  it('rejects native currency for contracts that do not accept it', async () => {
    const closed = `0x${'c105ed'.padStart(40, '0')}` as const
    for (const { rpcUrl } of stack.devnet.description.chains)
      await createAnvilClient(rpcUrl).setCode({ address: closed, bytecode: '0x5f5ffd' })
    const ether = (chainId: number) => stack.currencyOn(chainId, 'ETH')
    const alone: Partial<QuoteInput> = {
      destinationChainId: ethereum,
      destinationCurrency: stack.currencyOn(ethereum, 'DAI'),
    }
    const refused: [at: string, Partial<QuoteInput>][] = [
      ['recipient', { destinationCurrency: ether(rollup), recipient: closed }],
      ['recipient', { ...alone, destinationCurrency: ether(ethereum), recipient: closed }],
      ['recipient', { topupGas: true, recipient: closed }],
      [
        'appFees.1.recipient',
        {
          ...alone,
          originCurrency: ether(ethereum),
          amount: `${10n ** 17n}`,
          appFees: [
            { recipient: users[1].address, fee: '10' },
            { recipient: closed, fee: '10' },
          ],
        },
      ],
    ]
    for (const [at, change] of refused)
      expect(await refusal(change)).toEqual({ code: 'INVALID_RECIPIENT', at })
    const output = { destinationCurrency: ether(rollup), recipient: closed }
    const exact = { ...output, tradeType: 'EXACT_OUTPUT', amount: '1000' } as const
    const spend = (value: string) => [{ to: users[2].address, value, data: '0x' }]
    expect(await refusal({ ...exact, txs: spend('999') })).toMatchObject({ at: 'recipient' })
    expect(stored).toEqual([])
    await quote({ ...exact, txs: spend('1000') })
    await quote({ recipient: closed })
    await quote({ destinationCurrency: ether(rollup), recipient: users[1].address })
  })

  it('simulates the calls that the solver will make', async () => {
    const wrapped = stack.currencyOn(rollup, 'WETH')
    const toEther = { destinationCurrency: stack.currencyOn(rollup, 'ETH') }
    const wrap = { to: wrapped, value: '1000', data: '0xd0e30db0' }
    await quote({ ...toEther, txs: [wrap] })
    const { errors } = await ask({ ...toEther, txs: [wrap, { ...wrap, data: '0x2e1a7d4d' }] })
    expect(errors?.[0]?.extensions).toMatchObject({
      code: 'DESTINATION_TX_FAILED',
      field: 'txs.1',
      failedCallData: { to: wrapped, value: '1000', data: '0x2e1a7d4d' },
    })
    expect(await refusal({ ...toEther, txs: [wrap], txsGasLimit: 10_000 })).toEqual({
      code: 'INVALID_EXTRA_TXS',
      at: 'txsGasLimit',
    })
    expect(await refusal({ txs: [wrap] })).toMatchObject({ code: 'INVALID_EXTRA_TXS' })
    expect(stored).toEqual([])
  })

  it('is filled by the solver on one chain if the caller forces it', async () => {
    const wallet = createWallet(stack.devnet.description, users[0])
    const { steps, protocol } = await quote({
      destinationChainId: ethereum,
      destinationCurrency: stack.currencyOn(ethereum, 'ETH'),
      forceSolverExecution: true,
      disableOriginSwaps: true,
    })
    const { depository, amount } = protocol.v2.paymentDetails
    const usdc = {
      address: stack.currencyOn(ethereum, 'USDC') as `0x${string}`,
      abi: parseAbi(['function balanceOf(address) view returns (uint256)']),
      functionName: 'balanceOf',
      args: [depository],
    } as const
    const held = await wallet.clientOn(ethereum).readContract(usdc)
    await wallet.execute(steps)
    expect((await wallet.clientOn(ethereum).readContract(usdc)) - held).toBe(BigInt(amount))
  })

  it('is refused with another payer than its user, unless the user signs', async () => {
    expect(await refusal({ depositFeePayer: `0x${'1'.repeat(40)}` })).toEqual({
      code: 'UNSUPPORTED_EXECUTION_TYPE',
      at: 'depositFeePayer',
    })
  })
})
