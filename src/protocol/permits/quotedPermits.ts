import type { CurrencyAmount, Price } from '#src/core/pricing/price.ts'
import { depositRun, type RouterRun, swapRun } from '#src/protocol/calls/routedCall.ts'
import type { Permit } from '#src/protocol/permit.ts'
import type { PermitContext, SignatureItem, StepContext } from '#src/protocol/step.ts'

/** The signatures that pay for a price, in order. The last one pays. One before it gives Permit2 the allowance. */
export function quotedPermits(
  price: Price,
  context: StepContext,
  terms: PermitContext,
): readonly SignatureItem[] {
  const [origin] = price.pricedOrigins
  const { orderId } = context
  const paid = origin?.leg.input ?? price.currencyIn
  const run =
    origin === undefined || orderId === undefined
      ? swapRun(price, context)
      : depositRun(origin, context, orderId)
  const api = origin === undefined ? 'user-swap' : 'swap'
  const { relayCost } = price
  return permitsFor({ payer: price.order.user, paid, run }, context, terms).map((permit) => ({
    permit,
    api,
    ...(permit.kind !== 'eip2612' && relayCost !== undefined && { maxCost: relayCost.amount }),
  }))
}

type Payment = Readonly<{ payer: Price['order']['user']; paid: CurrencyAmount; run: RouterRun }>

function permitsFor(
  { payer, paid: { currency, amount }, run: { calls, leftoversTo, nftsTo } }: Payment,
  { contracts: { approvalProxy }, requestId }: StepContext,
  { kind, relayer, domain, allowanceNonce, permit2Nonce, lastSecond }: PermitContext,
): readonly Permit[] {
  const run = {
    relayer,
    approvalProxy,
    calls,
    refundTo: leftoversTo,
    nftRecipient: nftsTo,
    metadata: requestId,
  }
  const payment = { chainId: currency.chainId, currency: currency.address, payer, amount }
  if (kind === 'eip3009') {
    if (domain === undefined) throw new Error(`${currency.symbol} has no domain for signatures`)
    return [{ ...payment, kind, domain, validBefore: lastSecond + 1, run }]
  }
  const transfer: Permit = { ...payment, kind, nonce: permit2Nonce, deadline: lastSecond, run }
  if (allowanceNonce === undefined || domain === undefined) return [transfer]
  return [
    { ...payment, kind: 'eip2612', domain, nonce: allowanceNonce, deadline: lastSecond },
    transfer,
  ]
}
