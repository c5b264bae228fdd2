import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { MultiInputAnswer, QuoteAnswer } from '#src/service/answers.ts'
import { cannedMultiInput, multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedQuote } from '#test/support/canned/cannedQuotes.ts'
import {
  fullQueries,
  restMultiInputOf,
  restPriceOf,
  restQuoteOf,
} from '#test/support/clients/fullQueries.ts'
import { createRestClient, type RestClient } from '#test/support/clients/restClient.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'
import { runs } from '#test/support/runs.ts'

type Issue = { path: (string | number)[]; message: string }

let answer: QuoteAnswer = cannedQuote
let multiAnswer: MultiInputAnswer = cannedMultiInput
let gateway: ServedGateway
let rest: RestClient
beforeAll(async () => {
  gateway = await serveGateway({
    price: async () => answer,
    quote: async () => answer,
    multiInputQuote: async () => multiAnswer,
  })
  rest = await createRestClient(gateway.url)
})
afterAll(() => gateway.close())

async function askGraphql(field: keyof typeof fullQueries, input: object): Promise<unknown> {
  const body = await gateway.query<Record<string, unknown>, object>(fullQueries[field], { input })
  expect(body.errors).toBeUndefined()
  return body.data?.[field]
}

const amount = fc.bigInt(0n, 2n ** 256n - 1n).map(toAmount)
const usd = fc.option(fc.bigInt(-(10n ** 15n), 10n ** 15n).map(toUsd), { nil: undefined })
const wei = fc.bigInt(0n, 10n ** 24n)

const counted = (like: CurrencyAmount): fc.Arbitrary<CurrencyAmount> =>
  fc.record({ currency: fc.constant(like.currency), amount, minimumAmount: amount, usd })

const impact = fc.option(
  fc.record({
    usd: fc.bigInt(-(10n ** 15n), 10n ** 15n).map(toUsd),
    percentHundredths: fc.bigInt(-(10n ** 6n), 10n ** 6n),
  }),
  { nil: undefined },
)
const slippage = fc.record({ value: amount, usd, percentHundredths: fc.bigInt(0n, 10_000n) })
const { origin, destination } = cannedQuote

const feesLike = (fees: QuoteAnswer['fees']) =>
  fc.record({
    gas: counted(fees.gas),
    relayer: counted(fees.relayer),
    relayerGas: counted(fees.relayerGas),
    relayerService: counted(fees.relayerService),
    app: counted(fees.app),
    subsidized: counted(fees.subsidized),
  })

/** The steps, with arbitrary values and gas for each. */
const stepsLike = (steps: QuoteAnswer['steps']): fc.Arbitrary<QuoteAnswer['steps']> =>
  fc.tuple(fc.option(wei, { nil: undefined }), wei).map(([gas, value]) => async () => {
    const made = await steps()
    return made.map((step) => ({
      ...step,
      items: step.items.map((item) => ({
        ...item,
        data: { ...item.data, value, gas: async () => gas },
      })),
    }))
  })

/** The fields that every answer has, with arbitrary numbers, and with each optional field present or absent. */
const figuresLike = (like: QuoteAnswer | MultiInputAnswer) => ({
  operation: fc.constantFrom('send', 'swap', 'wrap', 'unwrap', 'bridge'),
  currencyIn: counted(like.currencyIn),
  currencyOut: counted(like.currencyOut),
  fees: feesLike(like.fees),
  totalImpact: impact,
  swapImpact: impact,
  slippageTolerance: fc.record({ origin: slippage, destination: slippage }),
  timeEstimate: fc.nat(),
  userBalance: amount.map((held) => async () => held),
  steps: stepsLike(like.steps),
})

const quote: fc.Arbitrary<QuoteAnswer> = fc
  .record({
    ...figuresLike(cannedQuote),
    refundCurrency: counted(cannedQuote.refundCurrency),
    currencyGasTopup: fc.option(counted(cannedQuote.fees.gas), { nil: undefined }),
    expandedPriceImpact: fc.record({
      swap: usd,
      execution: usd,
      service: usd,
      app: usd,
      sponsored: usd,
    }),
    isFixedRate: fc.boolean(),
    fixedRateFee: usd,
    origin: counted(origin.input).map((input) => ({ ...origin, input })),
    destination: counted(destination.output).map((output) => ({ ...destination, output })),
    protocol: fc.constantFrom(cannedQuote.protocol, async () => undefined),
  })
  .map((changed) => ({ ...cannedQuote, ...changed }) as QuoteAnswer)

const multiInput: fc.Arbitrary<MultiInputAnswer> = fc
  .record({
    ...figuresLike(cannedMultiInput),
    breakdown: fc.array(fc.record({ value: amount, timeEstimate: fc.nat() })),
    depositDeadline: fc.nat().map((deadline) => async () => deadline),
  })
  .map((changed) => ({ ...cannedMultiInput, ...changed }) as MultiInputAnswer)

it('REST returns the same price as GraphQL', () =>
  fc.assert(
    fc.asyncProperty(quote, async (quoted) => {
      answer = quoted
      const said = await askGraphql('price', crossChainInput)
      expect(await rest.post('/price', crossChainInput)).toEqual(restPriceOf(said))
    }),
    { numRuns: runs(60, 25) },
  ))

it('REST returns the same quote as GraphQL', () =>
  fc.assert(
    fc.asyncProperty(quote, async (quoted) => {
      answer = quoted
      const said = await askGraphql('quote', crossChainInput)
      expect(await rest.post('/quote/v2', crossChainInput)).toEqual(restQuoteOf(said))
    }),
    { numRuns: runs(60, 25) },
  ))

it('REST returns the same multi-input quote as GraphQL', () =>
  fc.assert(
    fc.asyncProperty(multiInput, async (quoted) => {
      multiAnswer = quoted
      const byGraphql = await askGraphql('multiInputQuote', multiInputExample)
      const byRest = await rest.post('/execute/swap/multi-input', multiInputExample)
      expect(byRest).toEqual(restMultiInputOf(byGraphql))
    }),
    { numRuns: runs(60, 25) },
  ))

it.each([
  'originChainId',
  'txsGasLimit',
  'permitExpiry',
  'gasLimitForDepositSpecifiedTxs',
  'originGasOverhead',
  'maxRouteLength',
  'authorizationList.chainId',
  'authorizationList.nonce',
  'authorizationList.yParity',
])('REST accepts and rejects the same numbers as GraphQL: %s', async (field) => {
  answer = cannedQuote
  const signed = {
    chainId: 1,
    address: crossChainInput.user,
    nonce: 0,
    yParity: 0,
    r: '0x1',
    s: '0x1',
  }
  for (const number of [0, 1, 1.5, -1, 2 ** 31, 2 ** 40, 2 ** 53, 1e300]) {
    const [name = '', member] = field.split('.')
    const value = member === undefined ? number : [{ ...signed, [member]: number }]
    const input = { ...crossChainInput, [name]: value }
    const response = await fetch(`${gateway.url}/quote/v2`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
    const { errorData } = (await response.json()) as { errorData?: { issues: Issue[] } }
    const { errors } = await gateway.query(fullQueries.quote, { input })
    const said = errors?.[0]?.extensions['issues'] as Issue[] | undefined
    expect([number, said]).toEqual([number, errorData?.issues])
    expect(errors?.[0]?.extensions['statusCode'] ?? 200).toBe(response.status)
  }
})
