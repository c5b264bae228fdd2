import { z } from 'zod'
import { toUsd, type Usd } from '#src/units/usd.ts'
import { addressField, boundedList, refuse, textField } from './inputFields.ts'
import { bpsField, type PriceRequest, priceFields, shareField } from './priceInput.ts'

/** US dollars in millionths, as digits: "2000000" is two dollars. */
const usdField = textField('US dollars are a string of decimal digits')
  .transform((text, context): Usd => {
    if (!/^[0-9]{1,15}$/.test(text))
      return refuse(
        context,
        'US dollars in millionths, as decimal digits: "2000000" is two dollars',
        'INVALID_REQUEST',
      )
    return toUsd(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,15}$' })

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

/** An EIP-7702 authorization. */
export const authorizationInput = z.strictObject({
  chainId: z.int().min(0).describe('Where it holds.'),
  address: addressField.describe('Whose code is lent.'),
  nonce: z.int().min(0).describe('Of the account that signed it.'),
  yParity: z.int().min(0).max(1).describe('Of the signature: 0 or 1.'),
  r: z.string().max(66).describe('Of the signature.'),
  s: z.string().max(66).describe('Of the signature.'),
})

/** The fields of `quote`, every one bounded. */
export const quoteFields = {
  ...priceFields,
  txsGasLimit: gasField
    .nullish()
    .describe(
      'Gas for all `txs` together. Default: 100,000 a call. Calls that are simulated to take more are refused.',
    ),
  authorizationList: boundedList(authorizationInput, 16, 'At most 16 authorizations')
    .nullish()
    .describe('EIP-7702 authorizations for transactions on the destination chain.'),
  additionalData: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe('Extra data for specific routes.'),
  referrerAddress: addressField.nullish().describe('The frontend’s account, for records.'),
  topupGas: z
    .boolean()
    .nullish()
    .describe(
      'Pays the recipient some native currency on top, to pay for gas with; only when the destination currency is another. The solver must fill.',
    ),
  topupGasAmount: usdField
    .nullish()
    .describe(
      'Worth of the top-up in millionths of a dollar. Default: "2000000", two dollars. Needs `topupGas`.',
    ),
  enableTrueExactOutput: z
    .boolean()
    .nullish()
    .describe(
      'Whether what a swap for an exact output leaves over goes to the solver rather than to the recipient. Default: false.',
    ),
  explicitDeposit: z
    .boolean()
    .nullish()
    .describe(
      'Deposits by a call of the depository rather than by a plain transfer to it. Default: true.',
    ),
  permitExpiry: z.int().min(0).nullish().describe('Seconds that a permit stays valid.'),
  strict: z
    .boolean()
    .nullish()
    .describe(
      'With `useDepositAddress`: nobody but the depository can take what is paid to the address.',
    ),
  latePaymentSlippageTolerance: bpsField
    .nullish()
    .describe('Slippage tolerance for deposits after the order’s deadline, in basis points.'),
  gasLimitForDepositSpecifiedTxs: gasField
    .nullish()
    .describe('Gas for transactions that run during the deposit.'),
  forceSolverExecution: z
    .boolean()
    .nullish()
    .describe(
      'Has the solver fill also what the user could swap alone on one chain. Default: false.',
    ),
  subsidizeFees: z
    .boolean()
    .nullish()
    .describe(
      'Puts the relayer fees, the gas top-up included, on the account of the sponsor whose API key comes along. Default: false.',
    ),
  maxSubsidizationAmount: usdField
    .nullish()
    .describe(
      'The most that the sponsor pays, in millionths of a dollar; fees above it are not subsidized at all. Needs `subsidizeFees`.',
    ),
  subsidizeRent: z.boolean().nullish().describe('Solana only.'),
  includedSwapSources: sources.describe(
    'Swap sources that may be traded through, on either chain. Default: all.',
  ),
  excludedSwapSources: sources.describe(
    'Swap sources that may not be traded through, on either chain.',
  ),
  includedOriginSwapSources: sources.describe(
    'Swap sources that may be traded through on the origin chain, in place of `includedSwapSources`.',
  ),
  includedDestinationSwapSources: sources.describe(
    'Swap sources that may be traded through on the destination chain, in place of `includedSwapSources`.',
  ),
  originGasOverhead: gasField
    .nullish()
    .describe(
      'Units of gas that the origin transaction takes beside its own, such as a smart account’s: counted in `fees.gas`.',
    ),
  depositFeePayer: z.string().max(128).nullish().describe('Solana only.'),
  maxRouteLength: z
    .int('Hops are an integer')
    .min(1, 'A route has one hop at least')
    .max(6, 'Routes have six hops at most')
    .nullish()
    .describe('Hops of a path at the most, 1 to 6. Default: 4.'),
  useSharedAccounts: z.boolean().nullish().describe('Solana only.'),
  includeComputeUnitLimit: z.boolean().nullish().describe('Solana only.'),
  overridePriceImpact: z
    .boolean()
    .nullish()
    .describe(
      'Quotes even where the swaps lose more of the input’s worth than this gateway deems sane. Default: false.',
    ),
  disableOriginSwaps: z
    .boolean()
    .nullish()
    .describe(
      'Deposits the origin currency itself, wrapped or unwrapped at the most. Default: false.',
    ),
  fixedRate: shareField
    .nullish()
    .describe(
      'Basis points, "0" to "9999", charged in place of the service’s own; the output is then promised to the unit.',
    ),
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

/** What a price and a quote are asked for with: the fields of a quote alone are absent from a price. */
export type OrderRequest = PriceRequest & Partial<QuoteRequest>
