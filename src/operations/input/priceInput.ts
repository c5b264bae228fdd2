import { z } from 'zod'
import type { ErrorCode } from '#src/errors.ts'
import { nativeAddress } from '#src/units/address.ts'
import { type Bps, toBps, wholeBps } from '#src/units/bps.ts'
import {
  addressField,
  amountField,
  boundedList,
  chainIdField,
  refuse,
  textField,
} from './inputFields.ts'

/** Integer text from 0 to 10,000. */
export const bpsField = textField('Basis points are a string of decimal digits')
  .transform((text, context): Bps => {
    if (!/^[0-9]{1,5}$/.test(text) || BigInt(text) > wholeBps)
      return refuse(
        context,
        'Basis points as an integer from "0" to "10000"; "50" is 0.5%',
        'INVALID_SLIPPAGE_TOLERANCE',
      )
    return toBps(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,5}$' })

/** A share that is not all: integer text from 0 to 9,999. */
export const shareField = textField('Basis points are a string of decimal digits')
  .transform((text, context): Bps => {
    if (!/^[0-9]{1,4}$/.test(text))
      return refuse(context, 'Basis points as an integer from "0" to "9999"', 'INVALID_REQUEST')
    return toBps(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,4}$' })

const hex = textField('Calldata is a string')
  .max(131_072, 'At most 65,535 bytes of calldata')
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'Calldata is 0x and an even count of hexadecimal digits')
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)

/** A call on the destination chain. */
export const txInput = z.strictObject({
  to: addressField.describe('The contract to call.'),
  value: amountField.describe('Native currency to send along, in wei.'),
  data: hex.describe('Calldata, at most 65,535 bytes.'),
  originalTxValue: amountField
    .nullish()
    .describe('The value that the call had before it was wrapped in others, in wei.'),
})

/** A share of the input for whoever built the frontend. */
export const appFeeInput = z.strictObject({
  recipient: addressField.describe('Who gets the fee.'),
  fee: shareField.describe('Share of the input’s value, "0" to "9999"; "50" is 0.5%.'),
})

/** The fields of `price`, every one bounded; an optional field that is `null` counts as absent. */
export const priceFields = {
  user: addressField
    .refine((user) => user !== nativeAddress, {
      error: 'Nobody can deposit from the zero address',
      params: { code: 'INVALID_ADDRESS' satisfies ErrorCode },
    })
    .describe('Who deposits on the origin chain and submits transactions or signatures.'),
  originChainId: chainIdField.describe('Where the user pays.'),
  destinationChainId: chainIdField.describe('Where the recipient is paid; may be the same chain.'),
  originCurrency: addressField.describe(
    'What the user pays; the zero address for the native currency.',
  ),
  destinationCurrency: addressField.describe(
    'What the recipient gets; the zero address for the native currency.',
  ),
  amount: amountField
    .refine((value) => value > 0n, 'The amount must be more than 0')
    .describe(
      'In the smallest unit, more than "0": of the origin currency for EXACT_INPUT, else of the destination currency.',
    ),
  tradeType: z
    .enum(
      ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'],
      'One of EXACT_INPUT, EXACT_OUTPUT and EXPECTED_OUTPUT',
    )
    .describe('What `amount` means.'),
  recipient: addressField
    .nullish()
    .describe('Who is paid on the destination chain. Default: `user`.'),
  refundTo: addressField
    .nullish()
    .describe(
      'Who is paid back on the origin chain on failure. Default: `recipient`, else `user`.',
    ),
  refundOnOrigin: z
    .boolean()
    .nullish()
    .meta({ description: 'Refunds are always paid on the origin chain.', deprecated: true }),
  txs: boundedList(txInput, 32, 'At most 32 calls')
    .nullish()
    .describe(
      'Calls to make on the destination chain once the output is there, in order, at most 32; the router makes them, and pays the recipient what they leave.',
    ),
  referrer: z
    .string()
    .max(128, 'At most 128 characters')
    .refine((text) => text.isWellFormed() && !text.includes('\0'), 'Unicode text without U+0000')
    .nullish()
    .describe('Names the frontend in records; at most 128 characters.'),
  useReceiver: z
    .boolean()
    .nullish()
    .describe(
      'Deposits by a call of the depository, which reports the payment, rather than by a plain transfer to it; a smart contract that deposits needs that. Default: true.',
    ),
  useExternalLiquidity: z
    .boolean()
    .nullish()
    .describe('Bridges over canonical bridges: slower, but not bounded by the solver’s funds.'),
  useFallbacks: z.boolean().nullish().describe('Enables fallback routes.'),
  usePermit: z
    .boolean()
    .nullish()
    .describe(
      'Uses an EIP-3009 permit instead of a transaction when bridging; only for currencies that support it.',
    ),
  useDepositAddress: z
    .boolean()
    .nullish()
    .describe(
      'Pays to a deposit address, for wallets that cannot send calldata; only when bridging native currency.',
    ),
  slippageTolerance: bpsField
    .nullish()
    .describe('How much less may arrive, "0" to "10000". Default: computed from the route.'),
  appFees: boundedList(appFeeInput, 16, 'At most 16 app fees')
    .refine(
      (fees) => fees.reduce((sum, { fee }) => sum + fee, 0n) < wholeBps,
      'App fees together must be less than 10000 basis points',
    )
    .nullish()
    .describe(
      'Shares of the input for frontends, at most 16, together less than 10,000 basis points.',
    ),
}

/** The input of `price`. */
export const priceInput = z.strictObject(priceFields)

/** A price input that holds to the schema. */
export type PriceRequest = z.output<typeof priceInput>
