import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PriceInput } from '#src/service/input/priceInput.ts'
import { graphql } from '#test/generated/gql.ts'
import { cannedOperations, crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { type ServedGateway, serveGateway } from '#test/support/gateways/serveGateway.ts'

graphql(`
  fragment Whole on CurrencyAmount {
    currency { chainId address symbol name decimals metadata { logoURI verified isNative } }
    amount
    amountFormatted
    amountUsd
    minimumAmount
  }
`)

const wholePrice = graphql(`
  query WholePrice($input: PriceInput!) {
    price(input: $input) {
      fees {
        gas { ...Whole }
        relayer { amount }
        relayerGas { amount }
        relayerService { amount }
        app { ...Whole }
        subsidized { amount }
      }
      details {
        operation
        sender
        recipient
        currencyIn { ...Whole }
        currencyOut { ...Whole }
        totalImpact { usd percent }
        swapImpact { usd percent }
        rate
        slippageTolerance {
          origin { usd value percent }
          destination { usd value percent }
        }
        timeEstimate
        userBalance
        route {
          origin { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }
          destination { inputCurrency { amount } outputCurrency { amount } router includedSwapSources }
        }
      }
      blocks { chainId number hash timestamp ageMs }
    }
  }
`)

const rateOnly = graphql(`
  query RateOnly($input: PriceInput!) {
    one: price(input: $input) { details { rate } }
    other: price(input: $input) { details { rate } }
  }
`)

let balancesRead = 0
let loadersMade = 0
const requests: PriceInput[] = []
let gateway: ServedGateway

beforeAll(async () => {
  gateway = await serveGateway({
    loaders: () => {
      loadersMade += 1
      return cannedOperations.loaders()
    },
    price: async (request) => {
      requests.push(request)
      return {
        ...cannedPrice,
        userBalance: () => {
          balancesRead += 1
          return cannedPrice.userBalance()
        },
      }
    },
  })
})
afterAll(() => gateway.close())

it('a price query returns every field', async () => {
  expect(await gateway.query(wholePrice, { input: crossChainInput })).toMatchInlineSnapshot(`
    {
      "data": {
        "price": {
          "blocks": [
            {
              "ageMs": 1500,
              "chainId": 990001,
              "hash": "0xabababababababababababababababababababababababababababababababab",
              "number": 1234,
              "timestamp": 1700000000,
            },
            {
              "ageMs": 1500,
              "chainId": 990002,
              "hash": "0xabababababababababababababababababababababababababababababababab",
              "number": 1234,
              "timestamp": 1700000000,
            },
          ],
          "details": {
            "currencyIn": {
              "amount": "1000000000000000000",
              "amountFormatted": "1.0",
              "amountUsd": "3000.000000",
              "currency": {
                "address": "0x0000000000000000000000000000000000000000",
                "chainId": 990001,
                "decimals": 18,
                "metadata": {
                  "isNative": true,
                  "logoURI": "https://example.org/ETH.svg",
                  "verified": true,
                },
                "name": "ETH of 990001",
                "symbol": "ETH",
              },
              "minimumAmount": "1000000000000000000",
            },
            "currencyOut": {
              "amount": "2990000000",
              "amountFormatted": "2990.0",
              "amountUsd": "2990.000000",
              "currency": {
                "address": "0xb1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
                "chainId": 990002,
                "decimals": 6,
                "metadata": {
                  "isNative": false,
                  "logoURI": "https://example.org/USDC.svg",
                  "verified": true,
                },
                "name": "USDC of 990002",
                "symbol": "USDC",
              },
              "minimumAmount": "2975050000",
            },
            "operation": "swap",
            "rate": "2990",
            "recipient": "0x2222222222222222222222222222222222222222",
            "route": {
              "destination": {
                "includedSwapSources": [],
                "inputCurrency": {
                  "amount": "2990000000",
                },
                "outputCurrency": {
                  "amount": "2990000000",
                },
                "router": "relay",
              },
              "origin": {
                "includedSwapSources": [
                  "uniswap-v2",
                ],
                "inputCurrency": {
                  "amount": "1000000000000000000",
                },
                "outputCurrency": {
                  "amount": "2991000000",
                },
                "router": "uniswap-v2",
              },
            },
            "sender": "0x1111111111111111111111111111111111111111",
            "slippageTolerance": {
              "destination": {
                "percent": "0.50",
                "usd": null,
                "value": "14950000",
              },
              "origin": {
                "percent": "0.50",
                "usd": "14.955000",
                "value": "14955000",
              },
            },
            "swapImpact": {
              "percent": "-0.30",
              "usd": "-9.000000",
            },
            "timeEstimate": 13,
            "totalImpact": {
              "percent": "-0.33",
              "usd": "-10.000000",
            },
            "userBalance": "5000000000000000000",
          },
          "fees": {
            "app": {
              "amount": "0",
              "amountFormatted": "0.0",
              "amountUsd": "0",
              "currency": {
                "address": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                "chainId": 990001,
                "decimals": 6,
                "metadata": {
                  "isNative": false,
                  "logoURI": "https://example.org/USDC.svg",
                  "verified": true,
                },
                "name": "USDC of 990001",
                "symbol": "USDC",
              },
              "minimumAmount": "0",
            },
            "gas": {
              "amount": "2000000000000000",
              "amountFormatted": "0.002",
              "amountUsd": "6.000000",
              "currency": {
                "address": "0x0000000000000000000000000000000000000000",
                "chainId": 990001,
                "decimals": 18,
                "metadata": {
                  "isNative": true,
                  "logoURI": "https://example.org/ETH.svg",
                  "verified": true,
                },
                "name": "ETH of 990001",
                "symbol": "ETH",
              },
              "minimumAmount": "2000000000000000",
            },
            "relayer": {
              "amount": "1000000",
            },
            "relayerGas": {
              "amount": "400000",
            },
            "relayerService": {
              "amount": "600000",
            },
            "subsidized": {
              "amount": "0",
            },
          },
        },
      },
    }
  `)
})

it('the parsed request is passed on with the zod schema’s defaults, and null counts as absent', async () => {
  const user = '0x52908400098527886E0F7030069857D2E4169EE7'
  await gateway.query(rateOnly, {
    input: {
      ...crossChainInput,
      user,
      recipient: null,
      slippageTolerance: '50',
      txs: [{ to: user, value: '1', data: '0xAb', originalTxValue: null }],
      appFees: [{ recipient: user, fee: '25' }],
    },
  })
  expect(requests.at(-1)).toMatchInlineSnapshot(`
    {
      "amount": 1000000000000000000n,
      "appFees": [
        {
          "fee": 25n,
          "recipient": "0x52908400098527886e0f7030069857d2e4169ee7",
        },
      ],
      "destinationChainId": 990002,
      "destinationCurrency": "0xb1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1",
      "originChainId": 990001,
      "originCurrency": "0x0000000000000000000000000000000000000000",
      "recipient": null,
      "slippageTolerance": 50n,
      "tradeType": "EXACT_INPUT",
      "txs": [
        {
          "data": "0xab",
          "originalTxValue": null,
          "to": "0x52908400098527886e0f7030069857d2e4169ee7",
          "value": 1n,
        },
      ],
      "user": "0x52908400098527886e0f7030069857d2e4169ee7",
    }
  `)
})

it('an operation reads the balance only if selected, and has one set of loaders', async () => {
  balancesRead = 0
  loadersMade = 0
  for (let sent = 0; sent < 5; sent += 1) await gateway.query(rateOnly, { input: crossChainInput })
  expect({ balancesRead, loadersMade }).toEqual({ balancesRead: 0, loadersMade: 5 })
  await gateway.query(wholePrice, { input: crossChainInput })
  expect({ balancesRead, loadersMade }).toEqual({ balancesRead: 1, loadersMade: 6 })
})
