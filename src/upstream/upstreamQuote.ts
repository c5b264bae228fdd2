import type { Hash } from 'viem'
import { toAmount } from '#src/core/units/amount.ts'
import { orderSeconds } from '#src/protocol/order/order.ts'
import type { Step, StepItem } from '#src/protocol/step.ts'
import type { ShownPrice } from '#src/service/answers.ts'
import type { AnsweredQuote } from './answerSchemas.ts'
import { type Asked, endsOf, type UpstreamTerms } from './asked.ts'
import { checkOrder, minimumWith } from './checkOrder.ts'
import type { Run } from './checkRun.ts'
import { checkSteps } from './checkSteps.ts'
import { refuseAnswer } from './upstreamClient.ts'

/** A quote of another service that has passed all checks. */
export type CheckedQuote = Readonly<{
  /** The id of the request there. */
  upstreamId: Hash
  /** Gas limits of the items by step and item, as simulated by the service. */
  gas: readonly (readonly (bigint | undefined)[])[]
  /** The steps, with our words and our request id. */
  steps: (requestId: Hash) => readonly Step[]
  /** Unix time in seconds. */
  deadline: number
}>

/**
 * Checks the order and the steps of a quote whose amounts are already checked.
 * @param quotedAt Unix time in milliseconds
 * @throws UpstreamAnswerError
 */
export function checkQuote(
  answer: AnsweredQuote,
  price: ShownPrice,
  { asked, terms, quotedAt }: Readonly<{ asked: Asked; terms: UpstreamTerms; quotedAt: number }>,
): CheckedQuote {
  const { steps } = answer
  const chains = endsOf(terms, asked)
  const [first] = steps
  if (chains === undefined || first === undefined)
    return refuseAnswer('the quote is for other chains')
  if (steps.some(({ requestId }) => requestId !== first.requestId))
    refuseAnswer('its steps belong to several requests')
  const latest = Math.floor(quotedAt / 1000) + orderSeconds
  const { end, deadline = latest } = endOf(answer, price, { asked, chains })
  if (deadline * 1000 <= quotedAt) refuseAnswer('its order has expired')
  const { contracts } = chains.origin
  checkSteps(steps, { asked, amountIn: price.currencyIn.amount, contracts, end })
  return {
    upstreamId: first.requestId,
    gas: steps.map(({ items }) => items.map(({ data }) => data.gas ?? undefined)),
    steps: (requestId) => toSteps(answer, price, requestId),
    deadline: Math.min(deadline, latest),
  }
}

type Context = Readonly<{ asked: Asked; chains: NonNullable<ReturnType<typeof endsOf>> }>

/** The required end of the main step. Without an order it is the user's own swap. */
function endOf(
  { protocol, steps }: AnsweredQuote,
  price: ShownPrice,
  { asked, chains: { origin, destination } }: Context,
): Readonly<{ end: Run['end']; deadline?: number }> {
  const order = protocol?.v2
  if (order == null || steps.at(-1)?.id === 'swap') {
    if (asked.originChainId !== asked.destinationChainId) refuseAnswer('its deposit has no order')
    return { end: { kind: 'payment', minimum: price.currencyOut.minimumAmount } }
  }
  const checked = checkOrder(order, {
    asked,
    names: { origin: origin.name, destination: destination.name },
    destinationContracts: destination.contracts,
    promised: price.currencyOut,
  })
  const [input] = checked.inputs
  if (input === undefined) return refuseAnswer('the order does not have exactly one deposit')
  const { currency, amount } = input.payment
  const { refundCurrency } = price
  if (refundCurrency.currency.address !== currency || refundCurrency.amount !== amount)
    refuseAnswer('the deposit of the order differs from the details')
  const minimum = minimumWith(toAmount(amount), asked.slippageTolerance)
  return {
    end: { kind: 'deposit', orderId: order.orderId, currency, minimum },
    deadline: checked.output.deadline,
  }
}

/** The texts are ours: wallets show them. */
function toSteps(answer: AnsweredQuote, price: ShownPrice, requestId: Hash): readonly Step[] {
  const [paid, received] = [price.currencyIn.currency.symbol, price.currencyOut.currency.symbol]
  const descriptions = {
    approve: `Sign an approval for ${paid}`,
    deposit: `Depositing funds to the relayer to execute the swap for ${received}`,
    swap: `Swapping ${paid} for ${received}`,
  }
  const last = answer.steps.length - 1
  return answer.steps.map(({ id, items }, at) => ({
    id,
    action: 'Confirm transaction in your wallet',
    description: descriptions[id],
    kind: 'transaction',
    requestId,
    ...(id === 'deposit' && { depositAddress: '' }),
    items: items.map(
      ({ data: { gas: _, ...data } }): StepItem => ({
        status: 'incomplete',
        data: { ...data, isFirst: false },
        ...(at === last && {
          check: { endpoint: `/intents/status/v3?requestId=${requestId}`, method: 'GET' },
        }),
      }),
    ),
  }))
}
