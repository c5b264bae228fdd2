import { z } from 'zod'
import type { ErrorCode } from '#src/errors.ts'
import { type Address, nativeAddress, toAddress } from '#src/units/address.ts'
import { type Amount, parseAmount } from '#src/units/amount.ts'
import { type Bps, toBps, wholeBps } from '#src/units/bps.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'

/** Fails a field with the code that PROTOCOL names for it: the answer keeps it if nothing else fails. */
const refuse = (context: z.RefinementCtx, message: string, code: ErrorCode): never => {
  context.addIssue({ code: 'custom', message, params: { code } })
  return z.NEVER
}

const address = z.string().transform((text, context): Address => {
  try {
    return toAddress(text)
  } catch (error) {
    return refuse(context, (error as Error).message, 'INVALID_ADDRESS')
  }
})

const amount = z.string().transform((text, context): Amount => {
  try {
    return parseAmount(text)
  } catch (error) {
    return refuse(context, (error as Error).message, 'INVALID_REQUEST')
  }
})

const chainId = z
  .int('A chain id is a positive integer')
  .positive('A chain id is a positive integer')
  .transform((value): ChainId => toChainId(value))

/** Integer text from 0 to 10,000. */
const slippageTolerance = z.string().transform((text, context): Bps => {
  if (!/^[0-9]{1,5}$/.test(text) || BigInt(text) > wholeBps)
    return refuse(
      context,
      'Basis points as an integer from "0" to "10000"; "50" is 0.5%',
      'INVALID_SLIPPAGE_TOLERANCE',
    )
  return toBps(BigInt(text))
})

const feeBps = z.string().transform((text, context): Bps => {
  if (!/^[0-9]{1,4}$/.test(text))
    return refuse(context, 'Basis points as an integer from "0" to "9999"', 'INVALID_REQUEST')
  return toBps(BigInt(text))
})

const hex = z
  .string()
  .max(131_072, 'At most 65,535 bytes of calldata')
  .regex(/^0x([0-9a-fA-F]{2})*$/, 'Calldata is 0x and an even count of hexadecimal digits')

const tx = z.strictObject({
  to: address,
  value: amount,
  data: hex,
  originalTxValue: amount.nullish(),
})

const appFee = z.strictObject({ recipient: address, fee: feeBps })

/** The input of `price`, every field bounded; an optional field that is `null` counts as absent. */
export const priceInput = z.strictObject({
  user: address.refine((user) => user !== nativeAddress, {
    error: 'Nobody can deposit from the zero address',
    params: { code: 'INVALID_ADDRESS' satisfies ErrorCode },
  }),
  originChainId: chainId,
  destinationChainId: chainId,
  originCurrency: address,
  destinationCurrency: address,
  amount: amount.refine((value) => value > 0n, 'The amount must be more than 0'),
  tradeType: z.enum(['EXACT_INPUT', 'EXACT_OUTPUT', 'EXPECTED_OUTPUT']),
  recipient: address.nullish(),
  refundTo: address.nullish(),
  refundOnOrigin: z.boolean().nullish(),
  txs: z.array(tx).max(32, 'At most 32 calls').nullish(),
  referrer: z.string().max(128, 'At most 128 characters').nullish(),
  useReceiver: z.boolean().nullish(),
  useExternalLiquidity: z.boolean().nullish(),
  useFallbacks: z.boolean().nullish(),
  usePermit: z.boolean().nullish(),
  useDepositAddress: z.boolean().nullish(),
  slippageTolerance: slippageTolerance.nullish(),
  appFees: z
    .array(appFee)
    .max(16, 'At most 16 app fees')
    .refine(
      (fees) => fees.reduce((sum, { fee }) => sum + fee, 0n) < wholeBps,
      'App fees together must be less than 10000 basis points',
    )
    .nullish(),
})

/** What a face may hand over: JSON values. */
export type PriceInput = z.input<typeof priceInput>

/** A price input that holds to the schema. */
export type PriceRequest = z.output<typeof priceInput>
