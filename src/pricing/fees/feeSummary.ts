import { type TransactionSize, transactionCost } from '#src/pricing/gas/gas.ts'
import type { ChainMarket } from '#src/pricing/market.ts'
import type { Order } from '#src/pricing/order.ts'
import type { Fees } from '#src/pricing/price.ts'
import { currencyAmount } from '#src/pricing/summary/currencyAmount.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import type { Currency } from '#src/units/currency.ts'
import type { RelayFees } from './relayFees.ts'

/** @param currency what `relay`'s amounts are in, on the origin chain. */
export function feesOf(
  { originGasOverhead }: Order,
  market: ChainMarket,
  { gas, bytes }: TransactionSize,
  currency: Currency,
  relay: RelayFees,
): Fees {
  const { relayerGas, relayerService, app, subsidized } = relay
  const fee = (amount: Amount) => currencyAmount(market, currency, amount)
  const cost = transactionCost(market.gas, { gas: gas + originGasOverhead, bytes })
  return {
    gas: currencyAmount(market, market.chain.native, cost),
    relayer: fee(toAmount(relayerGas + relayerService)),
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    app: fee(app),
    subsidized: fee(subsidized),
  }
}
