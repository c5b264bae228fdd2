import { type Hex, numberToHex } from 'viem'
import { z } from 'zod'
import { toUsd, type Usd } from '#src/core/units/usd.ts'
import {
  accountField,
  addressField,
  boundedList,
  hexQuantity,
  quantityField,
  refuse,
  textField,
} from './inputFields.ts'
import { bpsField, checkUser, type PriceInput, priceFields, shareField } from './priceInput.ts'

/** Millionths of a US dollar as decimal digits: "2000000" is two dollars. */
const usdField = textField('US dollars must be a string of decimal digits')
  .transform((text, context): Usd => {
    if (!/^[0-9]{1,15}$/.test(text))
      return refuse(
        context,
        'US dollars must be millionths in decimal digits: "2000000" is two dollars',
        'INVALID_REQUEST',
      )
    return toUsd(BigInt(text))
  })
  .meta({ pattern: '^[0-9]{1,15}$' })

/** A transaction may use 16,777,216 gas (EIP-7825). The solver itself needs some of it. */
const maxGas = 15_000_000

export const gasField = z
  .int('Gas must be an integer')
  .min(0, 'Gas must not be negative')
  .max(maxGas, `At most ${maxGas} gas: a transaction may use 16777216`)
  .transform(BigInt)

const sources = boundedList(
  z.string().min(1).max(64, 'At most 64 characters'),
  64,
  'At most 64 swap sources',
).nullish()

/** The order of secp256k1. @source SEC 2, 2.4.1 */
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** A part of an ECDSA signature, 1 to `max`, padded to 32 bytes. */
const scalarField = (max: bigint, problem: string) =>
  textField('Must be a string of hexadecimal digits')
    .transform((text, context): Hex => {
      const message = 'Must be 0x and 1 to 64 hexadecimal digits'
      if (!hexQuantity.test(text)) return refuse(context, message, 'INVALID_REQUEST')
      const scalar = BigInt(text)
      if (scalar === 0n || scalar > max) return refuse(context, problem, 'INVALID_REQUEST')
      return numberToHex(scalar, { size: 32 })
    })
    .meta({ pattern: '^0x[0-9a-fA-F]{1,64}$' })

/** An EIP-7702 authorization. */
export const authorizationInput = z.strictObject({
  chainId: quantityField.describe(
    'EIP-155 id of the chain of the transaction: the destination chain of a quote. 0 if the authorization holds on every chain.',
  ),
  address: addressField.describe(
    'Contract whose code the account delegates to; the zero address ends its delegation.',
  ),
  nonce: quantityField.describe(
    'Nonce of the signing account: the number of transactions that it has sent before.',
  ),
  yParity: quantityField
    .refine((parity) => parity <= 1, 'Must be 0 or 1')
    .describe('Parity of the y coordinate of the signature’s point: 0 or 1.'),
  r: scalarField(curveOrder - 1n, 'Must be above 0 and below the order of secp256k1').describe(
    '`r` of the ECDSA signature: an integer of up to 32 bytes, as 0x and hexadecimal digits.',
  ),
  s: scalarField(
    curveOrder / 2n,
    'Must be above 0 and at most half of the order of secp256k1: chains skip others (EIP-2)',
  ).describe(
    '`s` of the ECDSA signature, in the lower half of the curve’s order: an integer of up to 32 bytes, as 0x and hexadecimal digits.',
  ),
})

/** The fields of `quote`. Every one has a size limit. */
export const quoteFields = {
  ...priceFields,
  txsGasLimit: gasField
    .nullish()
    .describe(
      'Gas limit of all `txs` together, in gas units. Default: 100,000 for each call. The quote is refused if a simulation uses more.',
    ),
  authorizationList: boundedList(authorizationInput, 16, 'At most 16 authorizations')
    .nullish()
    .describe(
      'EIP-7702 authorizations, at most 16, one for each account: the fill is a type-4 transaction that applies them before it runs the `txs`. The solver fills such an order even on one chain. The gas of the authorizations is part of `fees.relayerGas`. Each must have a valid chain id and nonce, and its account must have no contract code. Refused with UNSUPPORTED_EXECUTION_TYPE on a chain without EIP-7702.',
    ),
  additionalData: z
    .record(z.string(), z.unknown())
    .nullish()
    .describe(
      'Data for specific routes. No route uses it: `{}` is accepted, and any key is refused with UNSUPPORTED_ROUTE.',
    ),
  referrerAddress: addressField
    .nullish()
    .describe('Account of the frontend, stored with the request.'),
  topupGas: z
    .boolean()
    .nullish()
    .describe(
      'Pays the recipient native currency for gas in addition to the output. Only if the destination currency is not native, and only if the solver fills.',
    ),
  topupGasAmount: usdField
    .nullish()
    .describe(
      'Value of the top-up in millionths of a US dollar, up to the solver’s limit (usually ten dollars). The fill converts it at the price of that moment, and pays at most the quoted amount. Default: "2000000" (two dollars). Needs `topupGas`.',
    ),
  enableTrueExactOutput: z
    .boolean()
    .nullish()
    .describe(
      'Whether the solver keeps the surplus of a swap with exact output. false: the recipient gets it. Default: false.',
    ),
  explicitDeposit: z
    .boolean()
    .nullish()
    .describe(
      'How the user deposits. true: by a call of the depository. false: by a plain transfer to the depository. The depository does not record a plain transfer of an ERC-20, so the user cannot withdraw it: above the solver’s limit (usually 1,000 dollars) the quote asks for a call instead. Default: true.',
    ),
  permitExpiry: z
    .int('Seconds must be an integer')
    .min(60, 'At least 60 seconds')
    .max(86_400, 'At most 86400 seconds, a day')
    .nullish()
    .describe(
      'Seconds from the quote until the signature expires, 60 to 86400. Default: 600. Needs `usePermit`.',
    ),
  strict: z
    .boolean()
    .nullish()
    .describe(
      'Kind of deposit address of a quote with `useDepositAddress`. true: it accepts one payment, for this order as quoted, and needs `refundTo`. false: it accepts any number of payments of any amount until the deadline; each payment is quoted when it arrives, as a request of its own. Both kinds can only deposit, and anybody can sweep them: on EVM chains they are contracts, on svm chains addresses of the depository that nobody has the key of. Default: false.',
    ),
  latePaymentSlippageTolerance: bpsField
    .nullish()
    .describe(
      'Largest accepted increase of the fill’s gas cost above the quoted `fees.relayerGas`, in basis points, for a deposit up to seven days after the deadline. The order is then filled at current market prices; the additional gas cost reduces the output and its minimum. Above the tolerance, and without this field, a late deposit is refunded. Only if the solver fills.',
    ),
  gasLimitForDepositSpecifiedTxs: gasField
    .nullish()
    .describe(
      'Gas limit of all `txs` together if the user’s own transaction runs them, in a swap on one chain without the solver. It is part of `fees.gas` and of the `gas` of the step, and overrides `txsGasLimit`. Refused with INVALID_GAS_LIMIT_FOR_DEPOSIT_SPECIFIED_TXS if a simulation uses more, or if the user’s transactions run no `txs`, as in a multi-input quote.',
    ),
  forceSolverExecution: z
    .boolean()
    .nullish()
    .describe(
      'Makes the solver fill even a swap on one chain that the user could execute without it. Default: false.',
    ),
  subsidizeFees: z
    .boolean()
    .nullish()
    .describe(
      'Charges the relayer fees and the gas top-up to the sponsor whose API key is sent as `x-api-key`. Default: false.',
    ),
  maxSubsidizationAmount: usdField
    .nullish()
    .describe(
      'Highest fees that the sponsor pays, in millionths of a US dollar. If the fees are higher, the sponsor pays nothing. Needs `subsidizeFees`. Required for a deposit address that accepts any payment: there it limits the sum over all payments, and a payment whose fees exceed the rest pays them itself.',
    ),
  subsidizeRent: z
    .boolean()
    .nullish()
    .describe(
      'Charges the rent of new accounts to the sponsor. EVM chains charge no rent. On svm chains the rent is a part of `fees.relayerGas`, which `subsidizeFees` charges to the sponsor already. So both values give the same quote. true needs `subsidizeFees`.',
    ),
  includedSwapSources: sources.describe(
    'Names of the only swap sources that routes may use, on both chains. Default: all.',
  ),
  excludedSwapSources: sources.describe(
    'Names of swap sources that routes must not use, on both chains.',
  ),
  includedOriginSwapSources: sources.describe(
    'Replaces `includedSwapSources` on the origin chain.',
  ),
  includedDestinationSwapSources: sources.describe(
    'Replaces `includedSwapSources` on the destination chain.',
  ),
  originGasOverhead: gasField
    .nullish()
    .describe(
      'Additional gas units of the origin transaction, for example of a smart account. Included in `fees.gas`.',
    ),
  depositFeePayer: accountField
    .nullish()
    .describe(
      'On an EVM chain: account that sends the signed transaction and pays its gas instead of the solver. The answer to the signature contains that transaction. Only with `usePermit`; else refused with UNSUPPORTED_EXECUTION_TYPE. On an svm chain: account that signs the deposit first and pays its fee and the rent of new accounts. It must hold enough. Default there: the user.',
    ),
  maxRouteLength: z
    .int('Hops must be an integer')
    .min(1, 'At least one hop')
    .max(6, 'At most six hops')
    .nullish()
    .describe(
      'Maximum number of hops (pools) of one path, 1 to 6. Default: 4, or 6 for an amount that moves the price by 2 %. Nothing is swapped on an svm chain: there it limits the swap on the other chain.',
    ),
  useSharedAccounts: z
    .boolean()
    .nullish()
    .describe(
      'No effect: the router holds the currencies between the hops, so a swap never needs accounts of the user for them, and nothing is swapped on an svm chain. Both values are accepted.',
    ),
  includeComputeUnitLimit: z
    .boolean()
    .nullish()
    .describe(
      'Whether every transaction of the steps has a `gas` limit. With false, a transaction has none if another one must come first, or if it would revert now. On an svm chain: whether the deposit has an instruction with its limit of compute units, from a simulation, else from the estimate of the price. Default: false.',
    ),
  overridePriceImpact: z
    .boolean()
    .nullish()
    .describe(
      'Quotes even if the swaps lose more of the input’s value than the configured limit. Default: false.',
    ),
  disableOriginSwaps: z
    .boolean()
    .nullish()
    .describe(
      'Deposits the origin currency without a swap; only wrapping is allowed. Default: false.',
    ),
  fixedRate: shareField
    .nullish()
    .describe(
      'Service fee in basis points, "0" to "9999", instead of the usual one. The output is then exact. A rate below the usual one needs an API key that discounts.',
    ),
}

/** The input of `quote`: the fields of `price`, and options of the execution. */
export const quoteInput = z
  .strictObject(quoteFields)
  .superRefine(checkUser, { when: () => true })
  .superRefine((request, context) => {
    const needs = (field: string, other: string) =>
      context.addIssue({ code: 'custom', path: [field], message: `Requires ${other}: true` })
    if (request.topupGasAmount != null && request.topupGas !== true)
      needs('topupGasAmount', 'topupGas')
    if (request.maxSubsidizationAmount != null && request.subsidizeFees !== true)
      needs('maxSubsidizationAmount', 'subsidizeFees')
    if (request.subsidizeRent === true && request.subsidizeFees !== true)
      needs('subsidizeRent', 'subsidizeFees')
    if (request.permitExpiry != null && request.usePermit !== true)
      needs('permitExpiry', 'usePermit')
    if (request.strict === true && request.useDepositAddress !== true)
      needs('strict', 'useDepositAddress')
    if (request.strict === true && request.refundTo == null)
      context.addIssue({
        code: 'custom',
        path: ['refundTo'],
        message: 'Required for a strict deposit address: unfilled deposits are refunded to it',
      })
  })

/** A valid input of `quote`. */
export type QuoteInput = z.output<typeof quoteInput>

/** A valid input of `price` or `quote`. */
export type SwapInput = PriceInput & Partial<Omit<QuoteInput, 'user'>>
