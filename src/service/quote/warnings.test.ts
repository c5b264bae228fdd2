import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { Market } from '#src/core/pricing/market.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'
import { client, createQuoteDeps, loaders } from '#test/support/fixtures/quoteDeps.ts'
import { runs } from '#test/support/runs.ts'
import { price } from './price.ts'
import { quote } from './quote.ts'

type ListedSymbol = Parameters<typeof currencyOf>[1]
type Deps = ReturnType<typeof createQuoteDeps>['deps']

const user = account('1')

const inputOf = (
  [from, to]: readonly [ListedSymbol, ListedSymbol],
  amount: bigint,
  changed: object = {},
) => ({
  user,
  originChainId: originChain,
  originCurrency: currencyOf(originChain, from).address,
  destinationChainId: destinationChain,
  destinationCurrency: currencyOf(destinationChain, to).address,
  amount: `${amount}`,
  tradeType: 'EXACT_INPUT',
  ...changed,
})

const priceOf = (input: object, changes: Partial<Deps> = {}) =>
  price(createQuoteDeps(changes).deps, priceInput.parse(input), loaders, client)

const quoteOf = (input: object, changes: Partial<Deps> = {}) =>
  quote(createQuoteDeps(changes).deps, quoteInput.parse(input), loaders, client)

const codesOf = async (answer: Awaited<ReturnType<typeof priceOf>>) =>
  (await answer.warnings()).map(({ code, severity }) => `${severity} ${code}`)

const ether = 10n ** 18n

it('tells with a price what a quote of the same input refuses', async () => {
  const input = inputOf(['ETH', 'LONG'], 1_000_000n * ether, {
    destinationChainId: originChain,
    destinationCurrency: currencyOf(originChain, 'LONG').address,
  })
  const answer = await priceOf(input)
  expect(await answer.warnings()).toMatchInlineSnapshot(`
    [
      {
        "code": "QUOTE_REFUSED",
        "data": {
          "errorCode": "SWAP_IMPACT_TOO_HIGH",
          "maxPercent": "-15.00",
          "swapImpact": {
            "percent": "-99.83",
          },
        },
        "message": "A quote is refused: Swap impact is too high: -99.83%. Swap a smaller amount, or set overridePriceImpact.",
        "severity": "CRITICAL",
      },
      {
        "code": "SWAP_IMPACT",
        "data": {
          "percent": "-99.83",
          "usd": "-2995008344.459280",
        },
        "message": "The swaps lose $2995008344.45 of the input’s value: -99.83%. Fees are not included.",
        "severity": "CRITICAL",
      },
      {
        "code": "THIN_LIQUIDITY",
        "data": {
          "pools": [
            {
              "chainId": 990001,
              "percent": "-99.83",
              "pool": "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa6",
            },
          ],
        },
        "message": "A pool of the route is shallow for this amount. A smaller amount gets a better rate.",
        "severity": "WARNING",
      },
    ]
  `)
  await expect(quoteOf(input)).rejects.toMatchObject({ code: 'SWAP_IMPACT_TOO_HIGH' })
  const accepted = await quoteOf({ ...input, overridePriceImpact: true })
  expect((await codesOf(accepted))[0]).toBe('CRITICAL SWAP_IMPACT')
})

it('warns of nothing where nothing is lost', async () => {
  expect(await codesOf(await priceOf(inputOf(['USDC', 'USDC'], 10_000_000_000n)))).toEqual([])
  expect(await codesOf(await priceOf(inputOf(['ETH', 'USDC'], ether)))).toEqual([])
})

it('warns of fees that are high for a small amount', async () => {
  const answer = await priceOf(inputOf(['USDC', 'USDC'], 20_000_000n))
  expect(await answer.warnings()).toMatchInlineSnapshot(`
    [
      {
        "code": "HIGH_FEES",
        "data": {
          "percent": "13.89",
          "usd": "2.778415",
        },
        "message": "All fees together are $2.77: 13.89% of the input’s value.",
        "severity": "WARNING",
      },
    ]
  `)
})

/** LONG is in no list and has no price. */
const unknownLong: Partial<Deps> = {
  knownCurrency: (chainId, address) => {
    const found = createQuoteDeps().deps.knownCurrency(chainId, address)
    if (found?.symbol !== 'LONG') return found
    return { ...found, metadata: { verified: false, isNative: false } }
  },
  snapshot: () => {
    const chain = wideMarket.chains.get(destinationChain)
    if (chain === undefined) throw new Error('No chain')
    const usdPrices = new Map(chain.usdPrices)
    usdPrices.delete(currencyOf(destinationChain, 'LONG').address)
    const chains = new Map(wideMarket.chains).set(destinationChain, { ...chain, usdPrices })
    return { ...wideMarket, chains } satisfies Market
  },
}

it('warns of shallow pools even for a currency that nothing prices and no list has', async () => {
  const answer = await priceOf(inputOf(['ETH', 'LONG'], 500n * ether), unknownLong)
  expect(await answer.warnings()).toMatchInlineSnapshot(`
    [
      {
        "code": "SWAP_IMPACT_UNKNOWN",
        "data": {
          "currencies": [
            {
              "chainId": 990002,
              "currency": "0xcccccccccccccccccccccccccccccccc3b023b54",
            },
          ],
        },
        "message": "It is unknown how much value the swaps lose, because a currency has no price.",
        "severity": "WARNING",
      },
      {
        "code": "THIN_LIQUIDITY",
        "data": {
          "pools": [
            {
              "chainId": 990002,
              "percent": "-23.22",
              "pool": "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa6",
            },
          ],
        },
        "message": "A pool of the route is shallow for this amount. A smaller amount gets a better rate.",
        "severity": "WARNING",
      },
      {
        "code": "UNVERIFIED_CURRENCY",
        "data": {
          "chainId": 990002,
          "currency": "0xcccccccccccccccccccccccccccccccc3b023b54",
        },
        "message": "LONG on chain 990002 is in no token list of this service. Anybody can create a currency of that name: check its address.",
        "severity": "WARNING",
      },
    ]
  `)
})

it('never contradicts the quote of the same input on the same market', async () => {
  const symbols = fc.constantFrom<ListedSymbol>('ETH', 'USDC', 'WBTC', 'LONG', 'DUST')
  const inputs = fc
    .record({
      pair: fc.tuple(symbols, symbols),
      digits: fc.integer({ min: 6, max: 26 }),
      crosses: fc.boolean(),
      changed: fc.record(
        {
          tradeType: fc.constantFrom('EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'),
          useDepositAddress: fc.boolean(),
          useExternalLiquidity: fc.boolean(),
          refundTo: fc.constant(account('2')),
        },
        { requiredKeys: ['tradeType'] },
      ),
    })
    .map(({ pair, digits, crosses, changed }) =>
      inputOf(pair, 10n ** BigInt(digits), {
        ...changed,
        ...(!crosses && {
          destinationChainId: originChain,
          destinationCurrency: currencyOf(originChain, pair[1]).address,
        }),
      }),
    )
  const seen = new Set<unknown>()
  await fc.assert(
    fc.asyncProperty(
      inputs,
      fc.constantFrom({}, unknownLong, { contracts: new Map() }),
      async (input, changes) => {
        const priced = await priceOf(input, changes).catch((error: unknown) => error)
        if (priced instanceof AppError) return
        const answer = priced as Awaited<ReturnType<typeof priceOf>>
        const refusal = (await answer.warnings()).find(({ code }) => code === 'QUOTE_REFUSED')
        const outcome = await quoteOf(input, changes)
          .then((quoted) => quoted.steps())
          .then(
            () => undefined,
            ({ code }: AppError) => code,
          )
        seen.add(outcome)
        expect(refusal?.data['errorCode']).toBe(outcome)
      },
    ),
    { numRuns: runs(300, 100) },
  )
  expect(seen.has(undefined)).toBe(true)
  expect(seen.has('SWAP_IMPACT_TOO_HIGH')).toBe(true)
})

const codeOf = (...contracts: readonly number[]) => {
  const { simulator } = createQuoteDeps().deps
  const readAuthorities: typeof simulator.readAuthorities = async (chainId, accounts) =>
    accounts.map(() => ({ nonce: 0, code: contracts.includes(chainId) ? '0x6001' : '0x' }))
  return { simulator: { ...simulator, readAuthorities } }
}

it('warns where a contract wallet would be its own recipient without code', async () => {
  const input = inputOf(['USDC', 'USDC'], 10_000_000_000n)
  const lost = await quoteOf(input, codeOf(originChain))
  expect(await lost.warnings()).toMatchInlineSnapshot(`
    [
      {
        "code": "RECIPIENT_WITHOUT_CODE",
        "data": {
          "chainId": 990002,
          "recipient": "0x1111111111111111111111111111111111111111",
        },
        "message": "0x1111111111111111111111111111111111111111 is a contract wallet on chain 990001, but has no code on chain 990002. Its owner may have no access to the payment: set another recipient.",
        "severity": "CRITICAL",
      },
    ]
  `)
  const wallet = await quoteOf(input, codeOf(originChain, destinationChain))
  expect(await codesOf(wallet)).toEqual([])
  const other = await quoteOf({ ...input, recipient: account('2') }, codeOf(destinationChain))
  expect(await codesOf(other)).toEqual(['INFO RECIPIENT_IS_CONTRACT'])
})

it('prices without a user, and then shows the zero address and reads nothing', async () => {
  const { user: _, ...input } = inputOf(['ETH', 'USDC'], ether)
  const reads = { ...loaders, balance: () => Promise.reject(new Error('It read a balance')) }
  const answer = await price(createQuoteDeps().deps, priceInput.parse(input), reads, client)
  const known = await priceOf({ ...input, user })
  expect([answer.sender, answer.recipient]).toEqual([nativeAddress, nativeAddress])
  expect([await answer.userBalance(), answer.issues]).toEqual([undefined, undefined])
  expect(answer.currencyOut).toEqual(known.currencyOut)
  const named = await priceOf({ ...input, user: null, recipient: account('2') })
  expect(named.recipient).toBe(account('2'))
  expect(quoteInput.safeParse(input).success).toBe(false)
})
