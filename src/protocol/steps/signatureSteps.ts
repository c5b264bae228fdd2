import type { Price } from '#src/core/pricing/price.ts'
import { quotedPermits } from '#src/protocol/permits/quotedPermits.ts'
import { checkOf, type PermitContext, type Step, type StepContext } from './step.ts'

/**
 * The steps of a payment by signature: `authorize1` for a deposit, and `authorize2` for a swap on one chain. If Permit2
 * first needs an allowance by signature, the allowance is `authorize1`, and the payment is `authorize2`. Only the last
 * item has a `check`, because clients wait there for the end of the request.
 */
export function signatureSteps(
  price: Price,
  context: StepContext,
  terms: PermitContext,
): readonly Step[] {
  const permits = quotedPermits(price, context, terms)
  const { requestId } = context
  const [input, output] = [price.currencyIn.currency.symbol, price.currencyOut.currency.symbol]
  const swap: Place = {
    id: 'authorize1',
    description: `Sign to approve swap of ${input} for ${output}`,
  }
  const transfer: Place = { id: 'authorize2', description: `Sign to approve transfer of ${input}` }
  const isDeposit = permits.some(({ api }) => api === 'swap')
  const places = permits.length > 1 || isDeposit ? [swap, transfer] : [transfer]
  return permits.map((signature, at) => ({
    ...(places[at] ?? transfer),
    action: 'Sign authorization',
    kind: 'signature',
    requestId,
    items: [],
    signature: at === permits.length - 1 ? { ...signature, check: checkOf(context) } : signature,
  }))
}

type Place = Pick<Step, 'id' | 'description'>
