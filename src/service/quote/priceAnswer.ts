import type { Market } from '#src/core/pricing/market.ts'
import type { Price } from '#src/core/pricing/price.ts'
import { nativeOf, vmTypeOf } from '#src/core/units/vmType.ts'
import type { Loaders, PriceAnswer } from '#src/service/answers.ts'
import type { SwapInput } from '#src/service/input/quoteInput.ts'
import { balanceInTime, issuesOf } from './issues.ts'
import { type RefusalDeps, refusalOf } from './refusal.ts'
import { warningsOf } from './warnings.ts'

export type AnswerDeps = RefusalDeps

/** A price with what is computed or read on demand. Its market tells what a quote of the same input would refuse. */
export function toPriceAnswer(
  deps: AnswerDeps,
  request: SwapInput,
  { priced, market }: Readonly<{ priced: Price; market: Market }>,
  loaders: Loaders,
): PriceAnswer & Price {
  const { order, blocks } = priced
  const [{ hash }] = blocks
  const answer = {
    ...priced,
    ...shownAccounts(request),
    warnings: warningsOn(market, deps, request, priced),
  }
  if (request.user == null)
    return { ...answer, userBalance: async () => undefined, issues: undefined }
  return {
    ...answer,
    userBalance: () => balanceInTime(loaders.balance(order.origin, order.user, hash)),
    issues: issuesOf(deps, priced, loaders),
  }
}

/** Not in `toPriceAnswer`: there, all functions of an answer would keep the market in memory. */
const warningsOn =
  (market: Market, deps: AnswerDeps, request: SwapInput, priced: Price) => async () =>
    warningsOf(priced, {
      maxSwapImpact: deps.maxSwapImpact,
      refusal: refusalOf(deps, request, priced, market),
    })

/** Without a user, the zero address stands for the accounts that the input leaves open. */
export const shownAccounts = ({
  user,
  recipient,
  originCurrency,
  destinationCurrency,
}: SwapInput): Partial<Pick<Price, 'sender' | 'recipient'>> =>
  user == null
    ? {
        sender: nativeOf[vmTypeOf(originCurrency)],
        recipient: recipient ?? nativeOf[vmTypeOf(destinationCurrency)],
      }
    : {}
