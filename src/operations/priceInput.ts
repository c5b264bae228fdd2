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
export const bpsField = textField('Basis points are a string of decimal digits').transform(
  (text, context): Bps => {
    if (!/^[0-9]{1,5}$/.test(text) || BigInt(text) > wholeBps)
      return refuse(
        context,
        'Basis points as an integer from "0" to "10000"; "50" is 0.5%',
        'INVALID_SLIPPAGE_TOLERANCE',
      )
    return toBps(BigInt(text))
  },
)

/** A share that is not all: integer text from 0 to 9,999. */
export const shareField = textField('Basis points are a string of decimal digits').transform(
  (text, context): Bps => {
    if (!/^[0-9]{1,4}$/.test(text))
      return refuse(context, 'Basis points as an integer from "0" to "9999"', 'INVALID_REQUEST')
    return toBps(BigInt(text))
  },
)

const hex = textField('Calldata is a string')
  .max(131_072, 'At most 65,535 bytes of calldata')
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'Calldata is 0x and an even count of hexadecimal digits')
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)

const tx = z.strictObject({
  to: addressField,
  value: amountField,
  data: hex,
  originalTxValue: amountField.nullish(),
})

const appFee = z.strictObject({ recipient: addressField, fee: shareField })

/** The fields of `price`, every one bounded; an optional field that is `null` counts as absent. */
export const priceFields = {
  user: addressField.refine((user) => user !== nativeAddress, {
    error: 'Nobody can deposit from the zero address',
    params: { code: 'INVALID_ADDRESS' satisfies ErrorCode },
  }),
  originChainId: chainIdField,
  destinationChainId: chainIdField,
  originCurrency: addressField,
  destinationCurrency: addressField,
  amount: amountField.refine((value) => value > 0n, 'The amount must be more than 0'),
  tradeType: z.enum(
    ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'],
    'One of EXACT_INPUT, EXACT_OUTPUT and EXPECTED_OUTPUT',
  ),
  recipient: addressField.nullish(),
  refundTo: addressField.nullish(),
  refundOnOrigin: z.boolean().nullish(),
  txs: boundedList(tx, 32, 'At most 32 calls').nullish(),
  referrer: z.string().max(128, 'At most 128 characters').nullish(),
  useReceiver: z.boolean().nullish(),
  useExternalLiquidity: z.boolean().nullish(),
  useFallbacks: z.boolean().nullish(),
  usePermit: z.boolean().nullish(),
  useDepositAddress: z.boolean().nullish(),
  slippageTolerance: bpsField.nullish(),
  appFees: boundedList(appFee, 16, 'At most 16 app fees')
    .refine(
      (fees) => fees.reduce((sum, { fee }) => sum + fee, 0n) < wholeBps,
      'App fees together must be less than 10000 basis points',
    )
    .nullish(),
}

/** The input of `price`. */
export const priceInput = z.strictObject(priceFields)

/** A price input that holds to the schema. */
export type PriceRequest = z.output<typeof priceInput>
