import { expect, it } from 'vitest'
import { swapExactInput } from '#src/core/pools/pool.ts'
import { toAmount } from '#src/core/units/amount.ts'
import { toPips } from '#src/core/units/pips.ts'
import type { SolidlyPool } from './swapSolidly.ts'

/** A state that swaps lead to, in `test/onChain/pools/solidly.test.ts` with the cases of `npm run test:long`. */
const skewed = {
  kind: 'solidly',
  source: 'aerodrome',
  chainId: 1,
  stable: true,
  isPaused: false,
  address: '0x03',
  currency0: '0x01',
  currency1: '0x02',
  fee: toPips(500),
  unit0: 10n ** 18n,
  unit1: 10n ** 6n,
  reserve0: 4_217_314_677_953_253_107_379n,
  reserve1: 178_567n,
} as unknown as SolidlyPool

const outputOf = (amountIn: bigint) => swapExactInput(skewed, false, toAmount(amountIn))?.amountOut

it('takes the units of both currencies in their order in the pool if the contract overflows', () => {
  // `getAmountOut(2791, currency1)` of the contract panics with 0x11.
  expect(outputOf(2_791n)).toBeUndefined()
  expect([2_700n, 2_789n, 2_790n, 2_792n].map(outputOf)).toMatchInlineSnapshot(`
    [
      undefined,
      21722855183661725022n,
      21730566718902207212n,
      undefined,
    ]
  `)
})
