import { z } from 'zod'
import { toUsd, type Usd } from '#src/units/usd.ts'
import { addressField, boundedList, refuse, textField } from './inputFields.ts'
import { bpsField, priceFields, shareField } from './priceInput.ts'

/** US dollars in millionths, as digits: "2000000" is two dollars. */
const usdField = textField('US dollars are a string of decimal digits').transform(
  (text, context): Usd => {
    if (!/^[0-9]{1,15}$/.test(text))
      return refuse(
        context,
        'US dollars in millionths, as decimal digits: "2000000" is two dollars',
        'INVALID_REQUEST',
      )
    return toUsd(BigInt(text))
  },
)

const mostGas = 30_000_000

const gasField = z
  .int('Gas is an integer')
  .min(0, 'Gas is not negative')
  .max(mostGas, `At most ${mostGas}: a block holds little more`)
  .transform(BigInt)

const sources = boundedList(
  z.string().min(1).max(64, 'At most 64 characters'),
  64,
  'At most 64 swap sources',
).nullish()

const authorization = z.strictObject({
  chainId: z.int().min(0),
  address: addressField,
  nonce: z.int().min(0),
  yParity: z.int().min(0).max(1),
  r: z.string().max(66),
  s: z.string().max(66),
})

const quoteFields = {
  ...priceFields,
  txsGasLimit: gasField.nullish(),
  authorizationList: boundedList(authorization, 16, 'At most 16 authorizations').nullish(),
  additionalData: z.record(z.string(), z.unknown()).nullish(),
  referrerAddress: addressField.nullish(),
  topupGas: z.boolean().nullish(),
  topupGasAmount: usdField.nullish(),
  enableTrueExactOutput: z.boolean().nullish(),
  explicitDeposit: z.boolean().nullish(),
  permitExpiry: z.number().nullish(),
  strict: z.boolean().nullish(),
  latePaymentSlippageTolerance: bpsField.nullish(),
  gasLimitForDepositSpecifiedTxs: gasField.nullish(),
  forceSolverExecution: z.boolean().nullish(),
  subsidizeFees: z.boolean().nullish(),
  maxSubsidizationAmount: usdField.nullish(),
  subsidizeRent: z.boolean().nullish(),
  includedSwapSources: sources,
  excludedSwapSources: sources,
  includedOriginSwapSources: sources,
  includedDestinationSwapSources: sources,
  originGasOverhead: gasField.nullish(),
  depositFeePayer: z.string().max(128).nullish(),
  maxRouteLength: z
    .int('Hops are an integer')
    .min(1, 'A route has one hop at least')
    .max(6, 'Routes have six hops at most')
    .nullish(),
  useSharedAccounts: z.boolean().nullish(),
  includeComputeUnitLimit: z.boolean().nullish(),
  overridePriceImpact: z.boolean().nullish(),
  disableOriginSwaps: z.boolean().nullish(),
  fixedRate: shareField.nullish(),
}

/** The input of `quote`: all of `price`'s fields and those that only an execution knows. */
export const quoteInput = z.strictObject(quoteFields).superRefine((request, context) => {
  const needs = (field: string, other: string) =>
    context.addIssue({ code: 'custom', path: [field], message: `Needs ${other}: true` })
  if (request.topupGasAmount != null && request.topupGas !== true)
    needs('topupGasAmount', 'topupGas')
  if (request.maxSubsidizationAmount != null && request.subsidizeFees !== true)
    needs('maxSubsidizationAmount', 'subsidizeFees')
})

/** A quote input that holds to the schema. */
export type QuoteRequest = z.output<typeof quoteInput>
