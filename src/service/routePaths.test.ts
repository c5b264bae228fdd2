import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Path } from '#src/core/router/route.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { cannedPrice } from '#test/support/canned/cannedQuotes.ts'
import { routePaths } from './routePaths.ts'

const { route } = cannedPrice.origin
if (route === undefined) throw new Error('The canned price has a route')
const pathOf = (amountIn: bigint): Path => ({
  amountIn: toAmount(amountIn),
  amountOut: toAmount(amountIn),
  hops: route.paths[0]?.hops ?? [],
})

it('gives shares of 10,000 together, each within a basis point of its part', () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 10n ** 30n }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(amounts, (parts) => {
      const whole = parts.reduce((sum, part) => sum + part, 0n)
      const paths = routePaths({
        route: { ...route, amountIn: toAmount(whole), paths: parts.map(pathOf) },
      })
      expect(paths.reduce((sum, { share }) => sum + share, 0n)).toBe(10_000n)
      for (const [at, { share }] of paths.entries()) {
        const exact = (parts[at] ?? 0n) * 10_000n
        expect(share * whole).toBeGreaterThan(exact - whole)
        expect(share * whole).toBeLessThan(exact + whole)
      }
    }),
  )
})

it('shows each pool with its fee and depth, in the direction of the swap', () => {
  expect(routePaths({ route })).toMatchInlineSnapshot(`
    [
      {
        "hops": [
          {
            "amountIn": 1000000000000000000n,
            "amountOut": 2991000000n,
            "chainId": 990001,
            "depth": 292893218813n,
            "fee": 3000,
            "input": "0xd1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1d1",
            "output": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1",
            "pool": "0xc1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1c1",
            "poolId": null,
            "swapSource": "uniswap-v2",
          },
        ],
        "share": 10000n,
      },
    ]
  `)
})

it('has no paths without a swap', () => {
  expect(routePaths({ route: undefined })).toEqual([])
})
