import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { QuoteSummary } from '#src/requests/quotedRequest.ts'
import { answerOf, depositHash, requestId, stateAt } from '#test/support/fixtures/requestAnswer.ts'
import {
  account,
  type RequestsV3,
  serveRequestsV3,
  usdc,
} from '#test/support/gateways/serveRequestsV3.ts'

const summary: QuoteSummary = {
  inUsd: toUsd(3_000_000_000n),
  outUsd: toUsd(2_990_000_000n),
  rate: '0.99',
  slippageBps: toBps(50n),
  timeEstimate: 12,
  gas: { amount: toAmount(1n), chainId: toChainId(990001) },
  feeCurrency: { chainId: toChainId(990001), address: usdc },
  relayerGas: { amount: toAmount(400_000n), usd: toUsd(400_000n) },
  relayerService: { amount: toAmount(600_000n), usd: toUsd(600_000n) },
  app: { amount: toAmount(1_000n), usd: toUsd(1_000n) },
  appFees: [{ recipient: account, bps: toBps(3n), amount: toAmount(1_000n) }],
  topup: { amount: toAmount(7n), usd: toUsd(1n) },
}

let served: RequestsV3
beforeAll(async () => {
  served = await serveRequestsV3()
})
afterAll(() => served.close())

describe('a filled request in /requests/v3', () => {
  it('has the app fees that were paid, and none of those that are unknown', async () => {
    const settled = {
      depositId: 'deposit',
      chainId: toChainId(990001),
      txHash: depositHash,
      timestamp: 1,
      orderId: requestId,
      depositor: account,
      currency: usdc,
      amount: toAmount(2_991_000_000n),
      status: 'settled' as const,
      version: 1,
      claims: [],
    }
    const { request, ...of } = answerOf(stateAt(4), { summary })
    if (request.execution !== 'solver') throw new Error('Not what the solver fills')
    const order = {
      ...request.order,
      fees: [{ ...request.order.fees[0], recipient: account, amount: 1_000n }],
    } as typeof request.order
    const withDeposit = (paid: object) => ({
      ...of,
      request: { ...request, order },
      deposits: async () => [{ ...settled, ...paid }],
    })
    const actual = async () =>
      ((await served.requestOf())?.data['appFees'] as { actual: unknown } | undefined)?.actual
    served.answers(withDeposit({ paid: [{ recipient: account, amount: toAmount(990n) }] }))
    expect(await actual()).toEqual([
      {
        recipient: account,
        bps: '3',
        amount: '990',
        amountFormatted: '0.00099',
        amountUsd: '0.000990',
      },
    ])
    served.answers(withDeposit({}))
    expect(await actual()).toEqual([])
  })

  it('has every field of a filled request', async () => {
    const deposit = {
      depositId: `990001:${depositHash}:0`,
      chainId: toChainId(990001),
      txHash: depositHash,
      timestamp: 1_790_000_000,
      orderId: requestId,
      depositor: account,
      currency: usdc,
      amount: toAmount(2_991_000_000n),
      status: 'filled' as const,
      version: 1,
      claims: [],
    }
    served.answers(answerOf(stateAt(4), { summary, originCurrency: usdc }, [deposit]))
    expect((await served.ask()).body).toMatchInlineSnapshot(`
      {
        "continuation": "1-0x2",
        "requests": [
          {
            "createdAt": "2026-09-21T14:13:20.000Z",
            "data": {
              "appFees": {
                "actual": [],
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
                "quoted": [
                  {
                    "amount": "1000",
                    "amountFormatted": "0.001",
                    "bps": "3",
                    "recipient": "0x1111111111111111111111111111111111111111",
                  },
                ],
              },
              "externalMetadata": {
                "moonpayId": null,
              },
              "failReason": null,
              "feeSponsorship": null,
              "fees": {
                "actual": null,
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
                "quoted": {
                  "app": {
                    "amount": "1000",
                    "amountFormatted": "0.001",
                    "usd": "-0.001000",
                  },
                  "execution": {
                    "amount": "400000",
                    "amountFormatted": "0.4",
                    "usd": "-0.400000",
                  },
                  "platform": {
                    "amount": "600000",
                    "amountFormatted": "0.6",
                    "usd": "-0.600000",
                  },
                  "sponsored": {
                    "amount": "0",
                    "amountFormatted": "0.0",
                    "usd": "0",
                  },
                  "swap": {
                    "amount": null,
                    "amountFormatted": null,
                    "usd": "-8.999000",
                  },
                },
              },
              "inTxs": [
                {
                  "block": 12,
                  "chainId": 990001,
                  "status": "success",
                  "txHash": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                  "type": "onchain",
                },
              ],
              "outTxs": [
                {
                  "block": 12,
                  "chainId": 990002,
                  "status": "success",
                  "txHash": "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
                  "type": "onchain",
                },
              ],
              "quoteOraclePrice": null,
              "refundCurrencyData": null,
              "refundFailReason": null,
              "route": {
                "actual": null,
                "quoted": {
                  "destination": {
                    "currencyGasTopup": {
                      "amount": "7",
                      "amountFormatted": "0.000000000000000007",
                      "amountUsd": "0.000001",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "7",
                    },
                    "inputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1.0",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "1000000000000000000",
                    },
                    "outputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1.0",
                      "amountUsd": "2990.000000",
                      "currency": {
                        "address": "0x0000000000000000000000000000000000000000",
                        "chainId": 990002,
                        "decimals": 18,
                        "metadata": {
                          "isNative": true,
                          "logoURI": "https://example.org/ETH.svg",
                          "verified": true,
                        },
                        "name": "ETH of 990002",
                        "symbol": "ETH",
                      },
                      "minimumAmount": "1000000000000000000",
                    },
                    "router": "relay",
                  },
                  "origin": {
                    "inputCurrency": {
                      "amount": "1000000000000000000",
                      "amountFormatted": "1000000000000.0",
                      "amountUsd": "3000.000000",
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
                      "minimumAmount": "1000000000000000000",
                    },
                    "outputCurrency": null,
                    "router": "relay",
                  },
                },
              },
              "slippageTolerance": "50",
              "timeEstimate": 12,
              "triggeredByFastFill": false,
              "usesExternalLiquidity": false,
            },
            "depositAddress": null,
            "features": [
              "gas_top_up",
              "app_fees",
            ],
            "id": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
            "protocol": {
              "deposit": {
                "origin": {
                  "amount": "2991000000",
                  "chainId": 990001,
                  "currency": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
                  "depositor": "0x1111111111111111111111111111111111111111",
                  "depository": "0xe1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1",
                  "transactionId": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
                },
              },
              "orderId": "0xcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd",
              "settlement": {
                "destination": {
                  "fills": [
                    {
                      "chainId": 990002,
                      "transactionId": "0xf1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1",
                    },
                  ],
                  "refunds": [],
                },
              },
              "solver": {
                "address": "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
                "protocolChainId": "one",
              },
            },
            "recipient": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "refundTo": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "requestType": "Bridge",
            "sender": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
            "status": "success",
            "supersededByRequestId": null,
            "updatedAt": "2026-09-21T14:13:20.004Z",
            "user": "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
          },
        ],
      }
    `)
  })
})
