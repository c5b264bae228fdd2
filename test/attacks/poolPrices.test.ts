import { expect, it } from 'vitest'
import type { ChainConfig } from '#src/config/config.ts'
import type { ConstantProductPool } from '#src/core/pools/constantProduct/constantProduct.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { evmHash } from '#src/core/units/txId.ts'
import { formatUsd, toUsd, toUsdPrice, usdValueDown } from '#src/core/units/usd.ts'
import type { BlockReads } from '#src/market/blockReads.ts'
import { priceRulesOf, toChainMarket } from '#src/market/chainMarket.ts'
import { createUsdPrices } from '#src/market/prices/usdPrices.ts'
import { currencyOf, destinationChain, market } from '#test/support/fixtures/markets.ts'
import { attempt, example, withChain } from '#test/support/orders/orders.ts'

const native = currencyOf(destinationChain, 'ETH')
const { address: wrappedNative } = currencyOf(destinationChain, 'WETH')
const [currency0, currency1] = [
  currencyOf(destinationChain, 'WETH'),
  currencyOf(destinationChain, 'USDC'),
].sort((one, other) => (one.address < other.address ? -1 : 1)) as [typeof native, typeof native]
const dollar = 10n ** 18n
const truePrice = toUsdPrice(3000n * dollar)

/** A pool of a million dollars on each side, in which ether seems to cost a quarter of its price for one block. */
const skewedPool: ConstantProductPool = {
  kind: 'constantProduct',
  chainId: destinationChain,
  address: `0x${'a'.repeat(40)}` as ConstantProductPool['address'],
  source: 'uniswap-v2',
  fee: 3000 as ConstantProductPool['fee'],
  currency0: currency0.address,
  currency1: currency1.address,
  reserve0: reserveOf(currency0),
  reserve1: reserveOf(currency1),
}

function reserveOf({ symbol }: typeof native): bigint {
  return symbol === 'WETH' ? 2_000n * 10n ** 18n : 1_500_000n * 10n ** 6n
}

/** The destination market of a block at which the feed of ether is out of date. */
function skewedMarket(): typeof market {
  const chain = market.chains.get(destinationChain)
  if (chain === undefined) throw new Error('The fixture has two chains')
  const currencies = [native, currency0, currency1]
  const feedPrices = new Map([[currencyOf(destinationChain, 'USDC').address, toUsdPrice(dollar)]])
  const known = ({ address }: { address: string }) =>
    currencies.find((each) => each.address === address)
  const config = {
    ...chain.chain,
    rpcUrls: ['http://127.0.0.1:1'],
    nativeCurrency: { symbol: 'ETH', name: 'Ether', decimals: 18 },
    minPoolDepthUsd: toUsd(10_000_000_000n),
  } as unknown as ChainConfig
  const { usdPrices } = toChainMarket(
    { known, ofChain: () => currencies },
    {
      chain: config,
      block: { ...chain.block, hash: evmHash(chain.block.hash) },
      finality: chain.finality,
      exposedUsd: chain.exposedUsd,
      unsettled: new Map(),
      unrecordedLimitUsd: toUsd(0n),
      graph: createGraph([skewedPool]),
      reads: { ...chain, feedPrices } as unknown as BlockReads,
      refusedCurrencies: new Map(),
      stoppedAssets: new Set(),
      findPrices: createUsdPrices(priceRulesOf(config, [native.address, wrappedNative])),
    },
  )
  return withChain(destinationChain, { usdPrices })
}

it('a pool that is skewed for one block does not set the price of a bridge’s native currency', () => {
  const price = attempt({ ...example(), topup: toUsd(10_000_000n) }, skewedMarket())
  const topup = 'currencyGasTopup' in price ? price.currencyGasTopup?.amount : undefined
  const worth = usdValueDown(topup ?? toAmount(0n), native.decimals, truePrice)
  const loss = topup === undefined ? 0n : worth - 10_000_000n
  expect(
    loss,
    `The user paid $10 for a gas top-up worth $${formatUsd(worth)}: the solver lost $${formatUsd(toUsd(loss))}`,
  ).toBeLessThanOrEqual(0n)
})
