import { z } from 'zod'
import type { ErrorCode } from '#src/core/errors.ts'
import { type Bps, toBps, wholeBps } from '#src/core/units/bps.ts'
import { nativeOf } from '#src/core/units/vmType.ts'
import {
  accountField,
  addressField,
  amountField,
  boundedList,
  chainIdField,
  refuse,
  textField,
  weiField,
} from './inputFields.ts'

/** Basis points as decimal digits, "0" to "10000". */
export const bpsField = textField('Basis points must be a string of decimal digits')
  .transform((text, context): Bps => {
    if (!/^[0-9]{1,5}$/.test(text) || BigInt(text) > wholeBps)
      return refuse(
        context,
        'Basis points must be an integer from "0" to "10000"; "50" is 0.5%',
        'INVALID_SLIPPAGE_TOLERANCE',
      )
    return toBps(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,5}$' })

/** A share below 100%: basis points as decimal digits, "0" to "9999". */
export const shareField = textField('Basis points must be a string of decimal digits')
  .transform((text, context): Bps => {
    if (!/^[0-9]{1,4}$/.test(text))
      return refuse(
        context,
        'Basis points must be an integer from "0" to "9999"',
        'INVALID_REQUEST',
      )
    return toBps(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,4}$' })

export const calldataField = textField('Calldata must be a string')
  .max(131_072, 'At most 65,535 bytes of calldata')
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'Calldata must be 0x and an even number of hexadecimal digits')
  .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)

/** A call on the destination chain. */
export const txInput = z.strictObject({
  to: addressField.describe('Contract to call.'),
  value: weiField.describe('Native currency to send, in wei.'),
  data: calldataField.describe('Calldata, at most 65,535 bytes.'),
  originalTxValue: amountField
    .nullish()
    .describe('Value of the original call, in wei, if it was wrapped. Not used.'),
})

/** Nodes refuse transactions above 128 KiB. The route and the other arguments of the fill need the rest. */
const maxCalldataBytes = 98_304

const calldataBytes = (calls: readonly Readonly<{ data: string }>[]): number =>
  calls.reduce((sum, { data }) => sum + data.length / 2 - 1, 0)

/** A fee for the frontend: a share of the input. */
export const appFeeInput = z.strictObject({
  recipient: accountField.describe('Account that receives the fee.'),
  fee: shareField.describe('Share of the input in basis points, "0" to "9999"; "50" is 0.5%.'),
})

/** The fields of `price`. Every one has a size limit. `null` in an optional field means absent. */
export const priceFields = {
  user: accountField.describe(
    'Account that deposits on the origin chain and signs the transactions. In the form of the origin chain. The zero address (32 zero bytes on an svm chain) only with `useDepositAddress`, if the payer is unknown; `recipient` is then required.',
  ),
  originChainId: chainIdField.describe('Id of the chain that the user pays on.'),
  destinationChainId: chainIdField.describe(
    'Id of the chain that the recipient is paid on. It may be the origin chain.',
  ),
  originCurrency: accountField.describe(
    'Contract or mint of the currency that the user pays; the zero address (32 zero bytes on an svm chain) for the native currency.',
  ),
  destinationCurrency: accountField.describe(
    'Contract or mint of the currency that the recipient gets; the zero address (32 zero bytes on an svm chain) for the native currency.',
  ),
  amount: amountField
    .refine((value) => value > 0n, 'The amount must be above 0')
    .describe(
      'Amount in the smallest unit, above "0": of the origin currency for EXACT_INPUT, else of the destination currency.',
    ),
  tradeType: z
    .enum(
      ['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT'],
      'Must be EXACT_INPUT, EXACT_OUTPUT or EXPECTED_OUTPUT',
    )
    .describe('Which amount `amount` is, and whether it is exact.'),
  recipient: accountField
    .nullish()
    .describe(
      'Account that is paid on the destination chain. Default: `user`. Required if addresses of the two chains have different forms.',
    ),
  refundTo: accountField
    .nullish()
    .describe(
      'Account that a refund is paid to, on the origin chain. Default: `recipient`, else `user`; `user` if addresses of the two chains have different forms.',
    ),
  refundOnOrigin: z.boolean().nullish().meta({
    description:
      'No effect: refunds are always paid on the origin chain. Both values are accepted.',
    deprecated: true,
  }),
  txs: boundedList(txInput, 32, 'At most 32 calls')
    .refine(
      (calls) => calldataBytes(calls) <= maxCalldataBytes,
      `At most ${maxCalldataBytes} bytes of calldata in all`,
    )
    .nullish()
    .describe(
      'Calls on the destination chain: at most 32, with at most 98,304 bytes of calldata in all. An executor contract makes them in this order and with the output, in the transaction of the fill or swap. The recipient then gets the rest of the output.',
    ),
  referrer: z
    .string()
    .max(128, 'At most 128 characters')
    .refine(
      (text) => text.isWellFormed() && !text.includes('\0'),
      'Must be well-formed Unicode without U+0000',
    )
    .nullish()
    .describe('Name of the frontend, stored with the request. At most 128 characters.'),
  useReceiver: z
    .boolean()
    .nullish()
    .describe(
      'How the user deposits. true: by a call of the depository, which emits an event. false: by a plain transfer to the depository, which smart contract wallets cannot use. The depository does not record a plain transfer of an ERC-20, so the user cannot withdraw it: above the solver’s limit (usually 1,000 dollars) the quote asks for a call instead. On an svm chain every deposit calls the depository. Default: true.',
    ),
  useExternalLiquidity: z
    .boolean()
    .nullish()
    .describe(
      'Whether a quote may exceed the solver’s inventory on the destination chain. Such a quote has a longer `timeEstimate` and the `fallbackType` "external-liquidity". It is filled once the operator has added the missing inventory, and refunded if that takes longer than the time that the operator configures. No effect if the inventory suffices. With false, or if the operator configures no such time, the order is refused with INSUFFICIENT_LIQUIDITY. Default: false.',
    ),
  useFallbacks: z
    .boolean()
    .nullish()
    .describe(
      'Lets another service with the same API, which the operator configures, price and execute the order if this service has no route, lacks the inventory, or does not support the chain. `fallbackType` is then "upstream". No effect on `prices`, live prices and multi-input quotes. Default: false; true if this service has no chains.',
    ),
  usePermit: z
    .boolean()
    .nullish()
    .describe(
      'Lets the user pay by signature, without native currency for gas: by EIP-3009 if the origin currency supports it, else by Permit2. The solver sends the transaction and charges its gas in `fees.relayerGas`. A swap on one chain needs a sponsor. Not for native currencies. Default: false.',
    ),
  useDepositAddress: z
    .boolean()
    .nullish()
    .describe(
      'Whether the user pays an address instead of calling a contract, for payments that cannot carry calldata, such as withdrawals from exchanges. The solver sweeps the address into the depository; `relayerGas` includes the gas. Only for currencies that the solver accepts without a swap, and without `txs`. The order stays open for 180 days. Default: false.',
    ),
  slippageTolerance: bpsField
    .nullish()
    .describe(
      'Largest accepted shortfall of the output in basis points, "0" to "10000". Default: computed from the route.',
    ),
  appFees: boundedList(appFeeInput, 16, 'At most 16 app fees')
    .refine(
      (fees) => fees.reduce((sum, { fee }) => sum + fee, 0n) < wholeBps,
      'The sum of the app fees must be below 10000 basis points',
    )
    .nullish()
    .describe(
      'Fees for frontends: at most 16 shares of the input, in sum below 10,000 basis points.',
    ),
}

/** Refuses the zero address as an account that deposits by its own transaction, even if other fields are bad. */
export const checkUser = (
  { user, useDepositAddress }: Readonly<{ user?: unknown; useDepositAddress?: unknown }>,
  context: z.RefinementCtx,
): void => {
  if (!isZero(user) || useDepositAddress === true) return
  context.addIssue({ code: 'custom', path: ['user'], ...zeroUser })
}

const zeroUser = {
  message: 'The zero address cannot deposit',
  params: { code: 'INVALID_ADDRESS' satisfies ErrorCode },
}

const zeros: readonly unknown[] = Object.values(nativeOf)

const isZero = (user: unknown): boolean => zeros.includes(user)

/** An account that deposits by its own transaction. */
export const depositingUser = accountField.refine((user) => !isZero(user), {
  error: zeroUser.message,
  params: zeroUser.params,
})

/** The input of `price`: wallets show prices before a user connects. */
export const priceInput = z
  .strictObject({
    ...priceFields,
    user: accountField
      .nullish()
      .describe(
        'Account that pays on the origin chain. Without it, `details` has the zero address for each account that the input leaves open, and neither a balance nor issues. With `useDepositAddress`, an unknown payer needs a `recipient`.',
      ),
  })
  .superRefine(checkUser, { when: () => true })

/** A valid input of `price`. */
export type PriceInput = z.output<typeof priceInput>
