import { assetOf } from '#src/pricing/asset.ts'
import { NoPriceError } from '#src/pricing/failures.ts'
import { transactionCost } from '#src/pricing/gas/gas.ts'
import { depositTransaction, shapeOf } from '#src/pricing/gas/transactionSize.ts'
import type { ChainMarket, Market } from '#src/pricing/market.ts'
import type { MultiCrossing } from '#src/pricing/multi/multiCrossing.ts'
import type { MultiOrder } from '#src/pricing/multiOrder.ts'
import type { Fees } from '#src/pricing/price.ts'
import { currencyAmount } from '#src/pricing/summary/currencyAmount.ts'
import { type Amount, toAmount } from '#src/units/amount.ts'
import { mulDivUp } from '#src/units/mulDiv.ts'
import type { Gathered } from './multiRelayFees.ts'
import { depositFor } from './relayFees.ts'

/** Of the destination chain: what the solver takes in the payout currency, the deposits' gas in the native one. */
export function multiFees(
  order: MultiOrder,
  market: Market,
  { bridge, gathered, fees: { relayerGas, relayerService } }: MultiCrossing,
): Fees {
  const { market: chain } = bridge.task
  const fee = (amount: bigint) => currencyAmount(chain, bridge.payout, toAmount(amount))
  const gas = gathered.reduce(
    (sum, each) => sum + gasIn(chain, market, gasOf(order, each), each),
    0n,
  )
  return {
    gas: currencyAmount(chain, chain.chain.native, toAmount(gas)),
    relayer: fee(relayerGas + relayerService),
    relayerGas: fee(relayerGas),
    relayerService: fee(relayerService),
    // Multi-input orders name nobody who takes a share, nor anybody who pays for others.
    app: fee(0n),
    subsidized: fee(0n),
  }
}

function gasOf({ originGasOverhead }: MultiOrder, { source, leg }: Gathered): Amount {
  const { gas, bytes } = depositTransaction(shapeOf(leg), true)
  return transactionCost(source.market.gas, { gas: gas + originGasOverhead, bytes })
}

/**
 * In the destination's native currency, rounded up: as much where both chains run on one asset, else by US dollars.
 * @throws NoPriceError where there are none.
 */
function gasIn(
  { chain: { native }, usdPrices }: ChainMarket,
  market: Market,
  wei: Amount,
  { source }: Gathered,
): bigint {
  const { native: own } = source.market.chain
  const asset = assetOf(market, native)
  if (own.chainId === native.chainId || (asset !== undefined && asset === assetOf(market, own)))
    return depositFor({ deposit: native, payout: own }, wei)
  const ownPrice = source.market.usdPrices.get(own.address)
  if (ownPrice === undefined) throw new NoPriceError(own)
  const price = usdPrices.get(native.address)
  if (price === undefined) throw new NoPriceError(native)
  return mulDivUp(
    wei,
    ownPrice * 10n ** BigInt(native.decimals),
    price * 10n ** BigInt(own.decimals),
  )
}
