import { quotedPermits } from '#src/execution/permits/quotedPermits.ts'
import type { Price } from '#src/pricing/price.ts'
import { checkOf, type PermitContext, type Step, type StepContext } from './step.ts'

/**
 * The steps with which a user pays for a price by signature: `authorize1` for a deposit and `authorize2` for a swap on one
 * chain. Where Permit2 needs an allowance by signature first, that is `authorize1` and the payment `authorize2`. Clients
 * wait for the end of the request at an item with a `check`: only the last one has it.
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
    ...{ action: 'Sign authorization', kind: 'signature', requestId, items: [] },
    signature: at === permits.length - 1 ? { ...signature, check: checkOf(context) } : signature,
  }))
}

type Place = Pick<Step, 'id' | 'description'>
