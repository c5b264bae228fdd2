import { encodeDeployData } from 'viem'
import { type Address, nativeAddress } from '#src/core/units/address.ts'
import { type UsdPrice, usdPriceDecimals } from '#src/core/units/usd.ts'
import { priceFeed } from '#src/devnet/artifacts/priceFeed.ts'
import type { TransactionQueue } from '#src/devnet/chain/transactionQueue.ts'
import { nativePrices } from '#src/devnet/plan/currencyPlan.ts'
import type { DeployedCurrency } from './deployCurrencies.ts'

/** The price feed of a currency. The zero address stands for the native currency. */
export type DeployedFeed = Readonly<{ currency: Address; aggregator: Address }>

/** Queues a feed for the native currency and for each currency whose plan has a feed. */
export function deployPriceFeeds(
  queue: TransactionQueue,
  native: keyof typeof nativePrices,
  currencies: readonly DeployedCurrency[],
): readonly DeployedFeed[] {
  const feed = (currency: Address, symbol: string, price: UsdPrice): DeployedFeed => {
    const answer = price / 10n ** BigInt(usdPriceDecimals - feedDecimals)
    const args = [`${symbol} / USD`, answer] as const
    return { currency, aggregator: queue.deploy(encodeDeployData({ ...priceFeed, args })) }
  }
  return [
    feed(nativeAddress, native, nativePrices[native]),
    ...currencies
      .filter(({ hasFeed }) => hasFeed)
      .map(({ address, symbol, price }) => feed(address, symbol, price)),
  ]
}

/** The decimals of Chainlink's USD feeds. */
const feedDecimals = 8
