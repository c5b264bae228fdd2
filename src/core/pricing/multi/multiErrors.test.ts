import { describe, expect, it } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import type { ChainMarket, Market } from '#src/core/pricing/market.ts'
import type { MultiOrder, Origin } from '#src/core/pricing/order.ts'
import { priceMulti } from '#src/core/pricing/priceMulti.ts'
import { createGraph } from '#src/core/router/graph.ts'
import { toAmount } from '#src/core/units/amount.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import {
  account,
  currencyOf,
  destinationChain,
  originChain,
  thirdChain,
  wideMarket,
} from '#test/support/fixtures/markets.ts'

const user = account('1')

const originOf = (
  chainId: ChainId,
  symbol: Parameters<typeof currencyOf>[1],
  amount: bigint,
): Origin => ({
  user,
  refundTo: user,
  currency: currencyOf(chainId, symbol),
  amount: toAmount(amount),
})

/** Two origins of 100 dollars each. */
const order: MultiOrder = {
  user,
  recipient: user,
  origins: [
    originOf(originChain, 'USDC', 100_000_000n),
    originOf(thirdChain, 'LONG', 400n * 10n ** 18n),
  ],
  destination: currencyOf(destinationChain, 'USDC'),
  originGasOverhead: 0n,
  txs: [],
}

function refusal(changed: Partial<MultiOrder>, market = wideMarket): string {
  try {
    priceMulti({ ...order, ...changed }, market)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `${error.code}: ${error.message} ${JSON.stringify(error.data)}`
  }
  throw new Error('It was priced')
}

const withChain = (market: Market, chainId: ChainId, changed: Partial<ChainMarket>): Market => {
  const chain = market.chains.get(chainId)
  if (chain === undefined) throw new Error('No such chain')
  return { ...market, chains: new Map(market.chains).set(chainId, { ...chain, ...changed }) }
}

describe('a multi-input order that cannot be priced', () => {
  it('names an origin without a route', () => {
    const market = withChain(wideMarket, thirdChain, { graph: createGraph([]) })
    expect(refusal({}, market)).toMatchInlineSnapshot(
      `"NO_SWAP_ROUTES_FOUND: origins.1: No swap route found (origin leg: chain 990003, LONG to USDT): no pools connect the two within 4 hops. {"leg":"origin","chainId":990003,"inputCurrency":"0xcccccccccccccccccccccccccccccccc3b023f3c","outputCurrency":"0xcccccccccccccccccccccccccccccccc3b023f3a","field":"origins.1"}"`,
    )
  })

  it('names an origin with an unsupported currency', () => {
    const { address } = currencyOf(thirdChain, 'LONG')
    const refused = new Map([[address, 'it takes a fee on transfers']])
    const market = withChain(wideMarket, thirdChain, { refusedCurrencies: refused })
    expect(refusal({}, market)).toMatchInlineSnapshot(
      `"UNSUPPORTED_CURRENCY: LONG on chain 990003 (origins.1.currency) is not supported: it takes a fee on transfers {"side":"origin","field":"origins.1.currency","chainId":990003,"currency":"0xcccccccccccccccccccccccccccccccc3b023f3c"}"`,
    )
  })

  it('names an origin below one unit of the payout', () => {
    const [first] = order.origins
    const dust = originOf(thirdChain, 'LONG', 1n)
    expect(refusal({ origins: [first as Origin, dust] })).toMatchInlineSnapshot(
      `"AMOUNT_TOO_LOW: origins.1: The amount is worth less than the smallest unit of ETH. {"field":"origins.1"}"`,
    )
  })

  it('names the fees if all origins together do not cover them', () => {
    const origins = [originOf(originChain, 'USDC', 10n), originOf(thirdChain, 'USDT', 20n)]
    expect(refusal({ origins })).toMatchInlineSnapshot(
      `"AMOUNT_TOO_LOW: The origins together do not cover the fees of 0.847115 USDC. {"fees":"847115"}"`,
    )
  })

  it('names the largest output that the origins pay for', () => {
    expect(refusal({ output: toAmount(250_000_000n) })).toMatchInlineSnapshot(
      `"AMOUNT_TOO_LOW: The origins together do not pay for 250.0 USDC. The largest amount that works is about 198.465064 USDC. {"maxAmount":"198465064","maxAmountCurrency":{"chainId":990002,"address":"0xcccccccccccccccccccccccccccccccc3b023b51"}}"`,
    )
  })

  it('names the balance of the solver', () => {
    const market = withChain(wideMarket, destinationChain, { solverBalances: new Map() })
    expect(refusal({}, market)).toMatchInlineSnapshot(
      `"INSUFFICIENT_LIQUIDITY: The destination leg needs 0.066131059150727769 ETH on chain 990002; the solver holds 0.0 ETH. {"leg":"destination","chainId":990002,"currency":"0x0000000000000000000000000000000000000000","needed":"66131059150727769","balance":"0"}"`,
    )
  })

  it('fails with a code for any amounts', () => {
    const max = toAmount(2n ** 256n - 1n)
    const origins = [originChain, thirdChain].map((chainId) => originOf(chainId, 'ETH', max))
    expect(
      [refusal({ origins }), refusal({ output: max })].map((text) => text.slice(0, 60)),
    ).toMatchInlineSnapshot(`
      [
        "INSUFFICIENT_LIQUIDITY: The destination leg needs 2314452279",
        "INSUFFICIENT_LIQUIDITY: The destination leg needs 1157920892",
      ]
    `)
  })

  it('names chains without a common asset', () => {
    const [ether] = wideMarket.assets
    const assets =
      ether === undefined
        ? []
        : [ether].map((asset) => {
            const currencies = new Map(asset.currencies)
            currencies.delete(thirdChain)
            return { ...asset, currencies }
          })
    expect(refusal({}, { ...wideMarket, assets })).toMatchInlineSnapshot(
      `"UNSUPPORTED_ROUTE: The solver has no currency that it takes on each of the chains 990001, 990003 and pays out on chain 990002. {"originChainIds":[990001,990003],"destinationChainId":990002}"`,
    )
  })

  it('rejects calls with more value than the output', () => {
    const tx = { to: account('5'), value: toAmount(1n), data: '0x' } as const
    expect(refusal({ txs: [tx] })).toMatchInlineSnapshot(
      `"INVALID_EXTRA_TXS: txs: their values are 0.000000000000000001 ETH together, but the output is USDC: they have to be 0. {"field":"txs","value":"1","most":"0"}"`,
    )
  })
})
