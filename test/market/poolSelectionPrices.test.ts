import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { AppError } from '#src/core/errors.ts'
import { priceSwap } from '#src/core/pricing/priceSwap.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import type { Markets } from '#src/market/markets.ts'
import { account } from '#test/support/fixtures/markets.ts'
import { plain } from '#test/support/orders/orders.ts'
import { patience } from '#test/support/patience.ts'
import { runs } from '#test/support/runs.ts'
import { v2Factory } from '#test/support/simulatedNode/manyPools.ts'
import { hub, leaf, leafPairOf, pairOf } from '#test/support/simulatedNode/starPools.ts'
import { useStarChains } from '#test/support/simulatedNode/useStarChains.ts'

const id = toChainId(990_106)
const chains = useStarChains(id)
/** The least reserve of a side, in dollars, whose 29 % are a depth of $1,000. */
const isDeep = (dollars: bigint) => dollars > 3_414n

/** The answer for a swap between two leaves: the price, or the failure. */
function answerOf(market: Markets, [from, to]: readonly [number, number]): unknown {
  const known = (address: typeof hub) => {
    const currency = market.currencies.known({ chainId: id, address })
    if (currency === undefined) throw new Error('The currency is listed')
    return currency
  }
  const accounts = { user: account('1'), recipient: account('1'), refundTo: account('1') }
  const ends = { origin: known(leaf(from)), destination: known(leaf(to)) }
  const amount = { amount: toAmount(10n ** 18n), tradeType: 'EXACT_INPUT' as const }
  try {
    return priceSwap({ ...plain, ...accounts, ...ends, ...amount }, market.snapshot([id]))
  } catch (error) {
    if (error instanceof AppError) return { code: error.code, message: error.message }
    throw error
  }
}

test('prices equal those of a market that is configured with the joined pools', async () => {
  const reserves = fc.array(fc.bigInt(1n, 10_000n), { minLength: 4, maxLength: 12 })
  const swap = fc.tuple(fc.nat(3), fc.nat(3)).filter(([from, to]) => from !== to)
  const swaps = fc.array(swap, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(reserves, swaps, async (dollars, swaps) => {
      const pairs = dollars.map((each, at) => pairOf(id, at, each))
      const { startMarket } = await chains.start([...pairs, leafPairOf(id, [0, 1], 10n ** 9n)])
      const joined = dollars.flatMap((each, at): [string, string][] =>
        isDeep(each) ? [[hub, leaf(at)]] : [],
      )
      // Without a pair, a factory would be a whole one: this pair has no pool.
      const nothing: [string, string] = [leaf(100), leaf(101)]
      const { market: bounded } = startMarket({ minPoolDepthUsd: '500', minPoolUsd: '1000' })
      const { market: configured } = startMarket({
        minPoolDepthUsd: '500',
        factories: [
          {
            kind: 'constantProduct',
            source: 'v2',
            factory: v2Factory,
            pairs: [...joined, nothing],
          },
        ],
      })
      await Promise.all([bounded.ready(), configured.ready()])
      await vi.waitFor(() => {
        const [one, other] = [bounded, configured].map((market) => market.latest(id))
        expect(one?.block).toEqual(other?.block)
        expect(one?.graph.pools).toHaveLength(joined.length)
        expect(one?.graph.pools).toEqual(other?.graph.pools)
        expect(one?.usdPrices).toEqual(other?.usdPrices)
      }, patience)
      for (const each of swaps) expect(answerOf(bounded, each)).toEqual(answerOf(configured, each))
      await chains.stop()
    }),
    { numRuns: runs(20, 5) },
  )
})
