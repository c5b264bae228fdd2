import { z } from 'zod'
import type { ErrorCode } from '#src/errors.ts'
import { boundedList } from './inputFields.ts'
import { priceFields } from './priceInput.ts'
import { quoteFields } from './quoteInput.ts'

/** Origins of a multi-input quote at the most: each is routed, simulated and deposited on its own. */
export const mostOrigins = 16

/** One account's part in paying for a multi-input quote. */
export const originInput = z.strictObject({
  chainId: priceFields.originChainId.describe('Where it is paid in.'),
  currency: priceFields.originCurrency.describe(
    'What is paid in; the zero address for the native currency.',
  ),
  amount: priceFields.amount.describe(
    'In the smallest unit of its currency, more than "0": all of it is paid in for EXACT_INPUT, and so much at the most for EXACT_OUTPUT.',
  ),
  user: priceFields.user
    .nullish()
    .describe('Who deposits it and signs its transactions. Default: the root `user`.'),
})

const fields = z.strictObject({
  user: priceFields.user.describe(
    'Who deposits for every origin that names no user of its own, and is paid where no `recipient` is named.',
  ),
  origins: boundedList(originInput, mostOrigins, `At most ${mostOrigins} origins`)
    .refine((origins) => origins.length > 0, 'At least one origin')
    .meta({
      minItems: 1,
      description: `What is paid in, at least one origin and at most ${mostOrigins}: no two of one chain, currency and user, and none in the destination currency itself.`,
    }),
  destinationCurrency: priceFields.destinationCurrency,
  destinationChainId: priceFields.destinationChainId.describe(
    'Where the recipient is paid; may be the chain of origins too.',
  ),
  tradeType: z
    .enum(['EXACT_INPUT', 'EXACT_OUTPUT'], 'One of EXACT_INPUT and EXACT_OUTPUT')
    .describe('Whether what the origins pay in is fixed, or what the recipient gets.'),
  amount: priceFields.amount
    .nullish()
    .describe(
      'What the recipient is to get, in the smallest unit of the destination currency, more than "0". EXACT_OUTPUT needs it; EXACT_INPUT takes none, as it pays in all of the origins.',
    ),
  recipient: priceFields.recipient,
  refundTo: priceFields.refundTo.describe(
    'Who is paid back, on each origin’s own chain. Default: each origin’s own user.',
  ),
  txs: priceFields.txs,
  txsGasLimit: quoteFields.txsGasLimit,
  partial: z
    .boolean()
    .nullish()
    .describe(
      'Whether deposits that came by the deadline are filled where others did not, for less output and a lower minimum in proportion, rather than refunded. Default: false.',
    ),
  referrer: priceFields.referrer,
  gasLimitForDepositSpecifiedTxs: quoteFields.gasLimitForDepositSpecifiedTxs,
  originGasOverhead: quoteFields.originGasOverhead.describe(
    'Units of gas that each deposit’s transaction takes beside its own, such as a smart account’s: counted in `fees.gas`.',
  ),
  slippageTolerance: priceFields.slippageTolerance,
})

/** The input of `multiInputQuote`: what its sound fields say together is judged whatever the others are. */
export const multiInput = fields.superRefine(judgeTogether, { when: () => true })

/** A multi-input quote's input that holds to the schema. */
export type MultiInputRequest = z.output<typeof fields>

/** Names a field by the keys that lead to it. */
type Path = readonly PropertyKey[]

function judgeTogether(request: MultiInputRequest, context: z.RefinementCtx): void {
  const isSound = soundness(context.issues)
  const refuse = (path: Path, message: string, code: ErrorCode = 'INVALID_REQUEST') =>
    context.addIssue({ code: 'custom', path: [...path], message, params: { code } })
  judgeAmount(request, isSound, refuse)
  if (!isSound('origins')) return
  const entries = [...request.origins.entries()].filter(([at]) =>
    ['chainId', 'currency', 'user'].every((field) => isSound('origins', at, field)),
  )
  const root = isSound('user') ? request.user : undefined
  const places = new Map<string, number>()
  for (const [at, { chainId, currency, user }] of entries) {
    const key = `${chainId} ${currency} ${user ?? root}`
    const first = places.get(key)
    if (first === undefined) places.set(key, at)
    else
      refuse(
        ['origins', at],
        `The same chain, currency and user as origins.${first}: add its amount to that one`,
      )
    if (chainId === request.destinationChainId && currency === request.destinationCurrency)
      refuse(
        ['origins', at, 'currency'],
        'This is the destination currency itself: nothing is to be swapped',
        'UNSUPPORTED_ROUTE',
      )
  }
}

type Judge = (...path: Path) => boolean

/** Tells whether nothing is wrong with a value, or with what holds it; a field too many is no fault of the others. */
const soundness =
  (issues: z.RefinementCtx['issues']): Judge =>
  (...path) =>
    issues.every(
      ({ code, path: at = [] }) =>
        code === 'unrecognized_keys' || at.some((key, depth) => key !== path[depth]),
    )

function judgeAmount(
  { tradeType, amount }: MultiInputRequest,
  isSound: Judge,
  refuse: (path: Path, message: string) => void,
): void {
  if (!isSound('tradeType') || !isSound('amount')) return
  if (tradeType === 'EXACT_OUTPUT' && amount == null)
    refuse(['amount'], 'EXACT_OUTPUT needs it: what the recipient is to get')
  if (tradeType === 'EXACT_INPUT' && amount != null)
    refuse(['amount'], 'EXACT_INPUT takes none: all that the origins name is paid in')
}
