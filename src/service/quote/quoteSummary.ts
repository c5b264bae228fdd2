import type { CurrencyAmount } from '#src/core/pricing/price.ts'
import { type Amount, toAmount } from '#src/core/units/amount.ts'
import { toBps } from '#src/core/units/bps.ts'
import { toUsd } from '#src/core/units/usd.ts'
import { appFeesOf, isMulti, type QuotedPrice, topupOf } from '#src/protocol/order/quotedPrice.ts'
import type { QuotedAmount, QuoteSummary } from '#src/requests/quotedRequest.ts'

/** The part of a price that the history of a request shows. */
export function quoteSummary(price: QuotedPrice): QuoteSummary {
  const { currencyIn, currencyOut, fees } = price
  const { chainId, address } = fees.relayer.currency
  const topup = topupOf(price)
  return {
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
    appFees: appFeesOf(price).map(({ recipient, amount }, at) => ({
      ...quoted(partOf(fees.app, amount)),
      recipient,
      bps: isMulti(price) ? toBps(0n) : (price.order.appFees[at]?.fee ?? toBps(0n)),
    })),
    ...(topup !== undefined && { topup: quoted(topup) }),
  }
}

type Valued = Pick<CurrencyAmount, 'amount' | 'usd'>

const quoted = ({ amount, usd }: Valued): QuotedAmount => ({
  amount,
  ...(usd !== undefined && { usd }),
})

/** A part of an amount, with its share of the value. Rounded down. */
const partOf = ({ amount: whole, usd }: Valued, amount: Amount): Valued => ({
  amount: toAmount(amount),
  usd: usd === undefined || whole === 0n ? usd : toUsd((usd * amount) / whole),
})
