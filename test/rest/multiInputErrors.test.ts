import { describe, expect, it } from 'vitest'
import { maxOrigins } from '#src/service/input/multiInput.ts'
import { address, otherUsdc } from '#test/support/canned/cannedCurrencies.ts'
import { multiInputExample } from '#test/support/canned/cannedMultiInput.ts'
import { linesOf, useMultiInputRefusals } from '#test/support/gateways/useMultiInputRefusals.ts'

const { refusedByRest, refused, allRefused } = useMultiInputRefusals()

const [first, second] = multiInputExample.origins
const withOrigins = (...origins: unknown[]) => ({ origins })
const nobody = address('00')

describe('a multi-input quote', () => {
  it('lists every error in one response', async () => {
    const answers = await refused({
      destinationChainId: 'x',
      tradeType: 'EXPECTED_OUTPUT',
      partial: 'yes',
      refundTo: '0x12',
      slippageTolerance: '10001',
      ...withOrigins(
        { ...first, amount: '0' },
        { chainId: 0, currency: 'USDC' },
        7,
        { ...second, user: nobody },
        { ...first, amount: 5 },
        { ...first, user: multiInputExample.user },
      ),
    })
    expect(linesOf(answers)).toMatchInlineSnapshot(`
      [
        "INVALID_REQUEST",
        "origins.0.amount: The amount must be above 0 (INVALID_REQUEST)",
        "origins.1.chainId: A chain id must be a positive integer (INVALID_REQUEST)",
        "origins.1.currency: An address is 0x and 40 hexadecimal digits; on an svm chain it is 32 bytes in base58 (INVALID_ADDRESS)",
        "origins.1.amount: Required (INVALID_REQUEST)",
        "origins.2: Invalid input: expected object, received number (INVALID_REQUEST)",
        "origins.3.user: The zero address cannot deposit (INVALID_ADDRESS)",
        "origins.4.amount: An amount must be a string of decimal digits: many programs round numbers above 2^53 (INVALID_REQUEST)",
        "destinationChainId: A chain id must be a positive integer (INVALID_REQUEST)",
        "tradeType: Must be EXACT_INPUT or EXACT_OUTPUT (INVALID_REQUEST)",
        "refundTo: An address is 0x and 40 hexadecimal digits (INVALID_ADDRESS)",
        "partial: Invalid input: expected boolean, received string (INVALID_REQUEST)",
        "slippageTolerance: Basis points must be an integer from "0" to "10000"; "50" is 0.5% (INVALID_SLIPPAGE_TOLERANCE)",
        "origins.4: Same chain, currency and user as origins.0: add the amounts (INVALID_REQUEST)",
        "origins.5: Same chain, currency and user as origins.0: add the amounts (INVALID_REQUEST)",
      ]
    `)
  })

  it('rejects an empty list, and rejects a list that is too long before validating its members', async () => {
    const answers = await allRefused({
      none: withOrigins(),
      many: { origins: Array(maxOrigins + 1).fill({ chainId: 'x' }) },
      missing: { origins: undefined },
      null: { origins: null },
      number: { origins: 7 },
    })
    expect(answers).toMatchInlineSnapshot(`
      {
        "many": [
          "INVALID_REQUEST",
          "origins: At most 16 origins (INVALID_REQUEST)",
        ],
        "missing": [
          "INVALID_REQUEST",
          "origins: Required (INVALID_REQUEST)",
        ],
        "none": [
          "INVALID_REQUEST",
          "origins: At least one origin (INVALID_REQUEST)",
        ],
        "null": [
          "INVALID_REQUEST",
          "origins: Invalid input: expected array, received null (INVALID_REQUEST)",
        ],
        "number": [
          "INVALID_REQUEST",
          "origins: Invalid input: expected array, received number (INVALID_REQUEST)",
        ],
      }
    `)
  })

  it('uses the field-specific code if only one field is invalid', async () => {
    const answers = await allRefused({
      nobody: withOrigins(first, { ...second, user: nobody }),
      'no address': withOrigins(first, { ...second, user: '0x' }),
      'a zero': withOrigins(first, { ...second, amount: '0' }),
      'the destination': withOrigins(first, second, { ...second, currency: otherUsdc.address }),
      'the same twice': withOrigins(second, first, { ...first, user: multiInputExample.user }),
      slippage: { slippageTolerance: '10001' },
      'no output': { tradeType: 'EXACT_OUTPUT' },
      'an output': { amount: '5' },
      'an output of nothing': { tradeType: 'EXACT_OUTPUT', amount: '0' },
    })
    expect(answers).toMatchInlineSnapshot(`
      {
        "a zero": [
          "INVALID_REQUEST",
          "origins.1.amount: The amount must be above 0 (INVALID_REQUEST)",
        ],
        "an output": [
          "INVALID_REQUEST",
          "amount: Not allowed for EXACT_INPUT: the amounts of the origins are exact (INVALID_REQUEST)",
        ],
        "an output of nothing": [
          "INVALID_REQUEST",
          "amount: The amount must be above 0 (INVALID_REQUEST)",
        ],
        "no address": [
          "INVALID_ADDRESS",
          "origins.1.user: An address is 0x and 40 hexadecimal digits (INVALID_ADDRESS)",
        ],
        "no output": [
          "INVALID_REQUEST",
          "amount: Required for EXACT_OUTPUT: the amount that the recipient gets (INVALID_REQUEST)",
        ],
        "nobody": [
          "INVALID_ADDRESS",
          "origins.1.user: The zero address cannot deposit (INVALID_ADDRESS)",
        ],
        "slippage": [
          "INVALID_SLIPPAGE_TOLERANCE",
          "slippageTolerance: Basis points must be an integer from "0" to "10000"; "50" is 0.5% (INVALID_SLIPPAGE_TOLERANCE)",
        ],
        "the destination": [
          "UNSUPPORTED_ROUTE",
          "origins.2.currency: This is the destination currency: there is nothing to swap (UNSUPPORTED_ROUTE)",
        ],
        "the same twice": [
          "INVALID_REQUEST",
          "origins.2: Same chain, currency and user as origins.1: add the amounts (INVALID_REQUEST)",
        ],
      }
    `)
  })

  it('has the errors of single-input quotes, with the same messages', async () => {
    expect(await refused({ gasLimitForDepositSpecifiedTxs: 5 })).toMatchInlineSnapshot(`
      {
        "code": "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
        "field": "gasLimitForDepositSpecifiedTxs",
        "issues": [
          {
            "code": "INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS",
            "message": "the deposits of a multi-input quote run no txs; leave it out",
            "path": [
              "gasLimitForDepositSpecifiedTxs",
            ],
          },
        ],
        "message": "gasLimitForDepositSpecifiedTxs: the deposits of a multi-input quote run no txs; leave it out.",
      }
    `)
  })

  it('validates the other fields if one has an unusable value', async () => {
    const user = { toString: 1 }
    const answers = await refused({ user, ...withOrigins(second, first, first) })
    expect(linesOf(answers)).toMatchInlineSnapshot(`
      [
        "INVALID_REQUEST",
        "user: An address must be a string (INVALID_REQUEST)",
        "origins.2: Same chain, currency and user as origins.1: add the amounts (INVALID_REQUEST)",
      ]
    `)
  })

  it('reports unknown fields of the request and of its origins', async () => {
    const answers = await refusedByRest({
      ...multiInputExample,
      topupGas: true,
      ...withOrigins(first, { ...second, more: 1 }),
    })
    expect(linesOf(answers)).toMatchInlineSnapshot(`
      [
        "INVALID_REQUEST",
        "origins.1.more: Unknown field (INVALID_REQUEST)",
        "topupGas: Unknown field (INVALID_REQUEST)",
      ]
    `)
  })
})
