import { describe, expect, it } from 'vitest'
import { address } from '#test/support/canned/cannedCurrencies.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { linesOf, useMultiInputRefusals } from '#test/support/gateways/useMultiInputRefusals.ts'
import { disabledChain } from '#test/support/orders/orderDeps.ts'

const { refused, allRefused } = useMultiInputRefusals()

const [first, second] = multiInputExample.origins
const withOrigins = (...origins: unknown[]) => ({ origins })
const nobody = address('00')

describe('a multi-input quote', () => {
  it('reports every chain that accepts no orders', async () => {
    const unknown = { ...first, chainId: 5 }
    const closed = { ...first, chainId: disabledChain }
    expect(await refused(withOrigins(first, unknown))).toMatchInlineSnapshot(`
      {
        "chainId": 5,
        "code": "UNSUPPORTED_CHAIN",
        "field": "origins.1.chainId",
        "issues": [
          {
            "code": "UNSUPPORTED_CHAIN",
            "message": "chain 5 is not supported; supported chains: 990001, 990002, 990003",
            "path": [
              "origins",
              1,
              "chainId",
            ],
          },
        ],
        "message": "origins.1.chainId: chain 5 is not supported; supported chains: 990001, 990002, 990003.",
        "supportedChainIds": [
          990001,
          990002,
          990003,
        ],
      }
    `)
    expect(await refused(withOrigins(first, second, closed))).toMatchInlineSnapshot(`
      {
        "chainId": 990003,
        "code": "CHAIN_DISABLED",
        "field": "origins.2.chainId",
        "issues": [
          {
            "code": "CHAIN_DISABLED",
            "message": "chain 990003 is disabled",
            "path": [
              "origins",
              2,
              "chainId",
            ],
          },
        ],
        "message": "origins.2.chainId: chain 990003 is disabled.",
      }
    `)
    const answers = await refused({ ...withOrigins(unknown, first, closed), destinationChainId: 6 })
    expect(linesOf(answers)).toMatchInlineSnapshot(`
      [
        "UNSUPPORTED_CHAIN",
        "origins.0.chainId: chain 5 is not supported; supported chains: 990001, 990002, 990003 (UNSUPPORTED_CHAIN)",
        "origins.2.chainId: chain 990003 is disabled (CHAIN_DISABLED)",
        "destinationChainId: chain 6 is not supported; supported chains: 990001, 990002, 990003 (UNSUPPORTED_CHAIN)",
      ]
    `)
  })

  it('reports every field that would lose funds', async () => {
    const [here, there] = [address('c0'), address('c1')]
    const answers = await allRefused({
      recipient: { recipient: there },
      'recipient by default': { user: there, refundTo: first.currency },
      'refundTo on any chain': { refundTo: here },
      'refundTo on every chain': { refundTo: nobody },
      'origins by default': withOrigins(
        { ...first, user: here },
        { ...first, user: there },
        { ...second, user: here },
        { ...second, user: there },
      ),
      'origins of the root user': { user: here, recipient: first.currency },
    })
    expect(answers).toMatchInlineSnapshot(`
      {
        "origins by default": [
          "INVALID_RECIPIENT",
          "origins.0.user: 0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0 is a contract of this gateway on chain 990001; funds would be lost (INVALID_RECIPIENT)",
          "origins.3.user: 0xc1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1 is a contract of this gateway on chain 990002; funds would be lost (INVALID_RECIPIENT)",
        ],
        "origins of the root user": [
          "INVALID_RECIPIENT",
          "user: 0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0 is a contract of this gateway on chain 990001; funds would be lost (INVALID_RECIPIENT)",
        ],
        "recipient": [
          "INVALID_RECIPIENT",
          "recipient: 0xc1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1 is a contract of this gateway on chain 990002; funds would be lost (INVALID_RECIPIENT)",
        ],
        "recipient by default": [
          "INVALID_RECIPIENT",
          "recipient: 0xc1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1 is a contract of this gateway on chain 990002; funds would be lost (INVALID_RECIPIENT)",
          "refundTo: 0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1 is the contract of a currency on chain 990001; funds would be lost (INVALID_RECIPIENT)",
        ],
        "refundTo on any chain": [
          "INVALID_RECIPIENT",
          "refundTo: 0xc0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0c0 is a contract of this gateway on chain 990001; funds would be lost (INVALID_RECIPIENT)",
        ],
        "refundTo on every chain": [
          "INVALID_RECIPIENT",
          "refundTo: 0x0000000000000000000000000000000000000000 is the zero address; funds would be lost (INVALID_RECIPIENT)",
        ],
      }
    `)
  })

  it('reports every address that is no currency', async () => {
    const stranger = address('99')
    expect(
      await refused(withOrigins(first, { ...second, currency: stranger })),
    ).toMatchInlineSnapshot(`
      {
        "chainId": 990002,
        "code": "INVALID_INPUT_CURRENCY",
        "currency": "0x9999999999999999999999999999999999999999",
        "field": "origins.1.currency",
        "issues": [
          {
            "code": "INVALID_INPUT_CURRENCY",
            "message": "there is no currency at 0x9999999999999999999999999999999999999999 on chain 990002; the native currency has the zero address",
            "path": [
              "origins",
              1,
              "currency",
            ],
          },
        ],
        "message": "origins.1.currency: there is no currency at 0x9999999999999999999999999999999999999999 on chain 990002; the native currency has the zero address.",
      }
    `)
    const answers = await refused({
      ...withOrigins({ ...first, currency: stranger }, second, { ...second, currency: stranger }),
      destinationCurrency: address('98'),
    })
    expect(linesOf(answers)).toMatchInlineSnapshot(`
      [
        "INVALID_OUTPUT_CURRENCY",
        "destinationCurrency: there is no currency at 0x9898989898989898989898989898989898989898 on chain 990002; the native currency has the zero address (INVALID_OUTPUT_CURRENCY)",
        "origins.0.currency: there is no currency at 0x9999999999999999999999999999999999999999 on chain 990001; the native currency has the zero address (INVALID_INPUT_CURRENCY)",
        "origins.2.currency: there is no currency at 0x9999999999999999999999999999999999999999 on chain 990002; the native currency has the zero address (INVALID_INPUT_CURRENCY)",
      ]
    `)
  })
})
