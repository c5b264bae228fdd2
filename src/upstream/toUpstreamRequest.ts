import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { toUsd } from '#src/core/units/usd.ts'
import type { Step } from '#src/protocol/steps/step.ts'
import type { QuotedAmount, QuotedRequest } from '#src/requests/quotedRequest.ts'
import type { Caller } from '#src/service/callers.ts'
import type { ShownPrice } from '#src/service/operations.ts'
import type { Asked } from './asked.ts'
import type { CheckedQuote } from './upstreamQuote.ts'

type Hash = `0x${string}`

type Parts = Readonly<{
  requestId: Hash
  steps: readonly Step[]
  asked: Asked
  caller: Caller | undefined
  quota: string
  /** Unix time in milliseconds. */
  quotedAt: number
  /** Base URL of the service. */
  service: string
}>

/** The stored form of a quote that another service executes. */
export function toUpstreamRequest(
  price: ShownPrice,
  { upstreamId, deadline }: CheckedQuote,
  { requestId, steps, asked, caller, quota, quotedAt, service }: Parts,
): QuotedRequest {
  const { currencyIn, currencyOut, fees } = price
  const { chainId, address } = fees.relayer.currency
  const [origin, destination] = [currencyIn.currency, currencyOut.currency]
  return {
    requestId,
    user: asked.user,
    recipient: asked.recipient,
    refundTo: asked.refundTo,
    originChainId: origin.chainId,
    destinationChainId: destination.chainId,
    originCurrency: origin.address,
    destinationCurrency: destination.address,
    tradeType: asked.tradeType,
    amountIn: currencyIn.amount,
    amountOut: currencyOut.amount,
    minimumAmountOut: currencyOut.minimumAmount,
    steps,
    ...(asked.referrer != null && { referrer: asked.referrer }),
    ...(asked.referrerAddress != null && { referrerAddress: asked.referrerAddress }),
    ...(caller !== undefined && { apiKey: caller.name }),
    quota,
    // No sponsor of ours pays for another service.
    subsidizedUsd: toUsd(0n),
    summary: {
      ...(currencyIn.usd !== undefined && { inUsd: currencyIn.usd }),
      ...(currencyOut.usd !== undefined && { outUsd: currencyOut.usd }),
      rate: price.rate,
      slippageBps: price.slippageBps,
      timeEstimate: price.timeEstimate,
      gas: { ...quoted(fees.gas), chainId: fees.gas.currency.chainId },
      feeCurrency: { chainId, address },
      relayerGas: quoted(fees.relayerGas),
      relayerService: quoted(fees.relayerService),
      app: quoted(fees.app),
      appFees: [],
      ...(price.currencyGasTopup !== undefined && { topup: quoted(price.currencyGasTopup) }),
    },
    createdAt: quotedAt,
    deadline,
    execution: 'upstream',
    upstream: { service, requestId: upstreamId, currencies: { origin, destination } },
  }
}

const quoted = ({ amount, usd }: CurrencyAmount): QuotedAmount => ({
  amount,
  ...(usd !== undefined && { usd }),
})
