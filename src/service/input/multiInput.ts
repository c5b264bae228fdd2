import { z } from 'zod'
import type { ErrorCode } from '#src/core/errors.ts'
import { boundedList } from './inputFields.ts'
import { depositingUser, priceFields } from './priceInput.ts'
import { quoteFields } from './quoteInput.ts'

/** Maximum number of origins of a multi-input quote. Each is routed, simulated and deposited separately. */
export const maxOrigins = 16

/** One deposit of a multi-input quote. */
export const originInput = z.strictObject({
  chainId: priceFields.originChainId.describe('Id of the chain that the user deposits on.'),
  currency: priceFields.originCurrency.describe(
    'Currency that the user pays; the zero address (32 zero bytes on an svm chain) for the native currency.',
  ),
  amount: priceFields.amount.describe(
    'Amount in the smallest unit of `currency`, above "0". Exact for EXACT_INPUT; the maximum deposit for EXACT_OUTPUT.',
  ),
  user: depositingUser
    .nullish()
    .describe('Account that deposits and signs the transactions. Default: the root `user`.'),
})

const fields = z.strictObject({
  user: depositingUser.describe(
    'Account that deposits for every origin without a `user`. Also the default of `recipient`.',
  ),
  origins: boundedList(originInput, maxOrigins, `At most ${maxOrigins} origins`)
    .refine((origins) => origins.length > 0, 'At least one origin')
    .meta({
      minItems: 1,
      description: `The deposits: 1 to ${maxOrigins} origins. No two with the same chain, currency and user, and none in the destination currency.`,
    }),
  destinationCurrency: priceFields.destinationCurrency,
  destinationChainId: priceFields.destinationChainId.describe(
    'Id of the chain that the recipient is paid on. Origins may be on the same chain.',
  ),
  tradeType: z
    .enum(['EXACT_INPUT', 'EXACT_OUTPUT'], 'Must be EXACT_INPUT or EXACT_OUTPUT')
    .describe('Whether the deposits are exact (EXACT_INPUT) or the output (EXACT_OUTPUT).'),
  amount: priceFields.amount
    .nullish()
    .describe(
      'Exact output in the smallest unit of the destination currency, above "0". Required for EXACT_OUTPUT, not allowed for EXACT_INPUT.',
    ),
  recipient: priceFields.recipient,
  refundTo: priceFields.refundTo.describe(
    'Account that refunds are paid to, on the chain of each origin. Default: the user of each origin. Not allowed if addresses of the origins have different forms.',
  ),
  txs: priceFields.txs,
  txsGasLimit: quoteFields.txsGasLimit,
  partial: z
    .boolean()
    .nullish()
    .describe(
      'What happens at the deadline if some deposits are missing. true: the other deposits are filled, and output and minimum are reduced in proportion. false: they are refunded. Default: false.',
    ),
  referrer: priceFields.referrer,
  gasLimitForDepositSpecifiedTxs: quoteFields.gasLimitForDepositSpecifiedTxs,
  originGasOverhead: quoteFields.originGasOverhead.describe(
    'Additional gas units of each deposit transaction, for example of a smart account. Included in `fees.gas`.',
  ),
  slippageTolerance: priceFields.slippageTolerance,
})

/** The input of `multiInputQuote`. The rules between fields are checked even if other fields are bad. */
export const multiInput = fields.superRefine(checkTogether, { when: () => true })

/** A valid input of `multiInputQuote`. */
export type MultiQuoteInput = z.output<typeof fields>

/** Path of a field. */
type Path = readonly PropertyKey[]

/** Checks the rules between fields. A rule is skipped if one of its own fields is bad. */
function checkTogether(request: MultiQuoteInput, context: z.RefinementCtx): void {
  const isValid = validFields(context.issues)
  const refuse = (path: Path, message: string, code: ErrorCode = 'INVALID_REQUEST') =>
    context.addIssue({ code: 'custom', path: [...path], message, params: { code } })
  checkAmount(request, isValid, refuse)
  if (!isValid('origins')) return
  const entries = [...request.origins.entries()].filter(([at]) =>
    ['chainId', 'currency', 'user'].every((field) => isValid('origins', at, field)),
  )
  const root = isValid('user') ? request.user : undefined
  const places = new Map<string, number>()
  for (const [at, { chainId, currency, user }] of entries) {
    const key = `${chainId} ${currency} ${user ?? root}`
    const first = places.get(key)
    if (first === undefined) places.set(key, at)
    else
      refuse(['origins', at], `Same chain, currency and user as origins.${first}: add the amounts`)
    if (chainId === request.destinationChainId && currency === request.destinationCurrency)
      refuse(
        ['origins', at, 'currency'],
        'This is the destination currency: there is nothing to swap',
        'UNSUPPORTED_ROUTE',
      )
  }
}

type IsValid = (...path: Path) => boolean

/** Whether neither a value nor its parents have an issue. An unknown field does not invalidate the other fields. */
const validFields =
  (issues: z.RefinementCtx['issues']): IsValid =>
  (...path) =>
    issues.every(
      ({ code, path: at = [] }) =>
        code === 'unrecognized_keys' || at.some((key, depth) => key !== path[depth]),
    )

function checkAmount(
  { tradeType, amount }: MultiQuoteInput,
  isValid: IsValid,
  refuse: (path: Path, message: string) => void,
): void {
  if (!isValid('tradeType') || !isValid('amount')) return
  if (tradeType === 'EXACT_OUTPUT' && amount == null)
    refuse(['amount'], 'Required for EXACT_OUTPUT: the amount that the recipient gets')
  if (tradeType === 'EXACT_INPUT' && amount != null)
    refuse(['amount'], 'Not allowed for EXACT_INPUT: the amounts of the origins are exact')
}
