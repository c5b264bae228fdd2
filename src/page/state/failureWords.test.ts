import { expect, it } from 'vitest'
import { failureWords, warningWords, workingAmountIn } from './failureWords.js'

const chains = [
  { chainId: 990001, displayName: 'Ethereum' },
  { chainId: 990002, displayName: 'Rollup' },
]

it.each([
  [
    'No swap route found (origin leg: chain 990001, ETH to FERN): the pools are too shallow for 1000.0 ETH; the largest amount that works is 12.345678901234567891 ETH.',
    'No swap route found (origin leg: Ethereum, ETH to FERN): the pools are too shallow for 1,000 ETH; the largest amount that works is 12.3456 ETH.',
  ],
  [
    'The destination leg needs 99.123456789 WETH on chain 990002; the solver holds 3 WETH. The largest amount that works is about 0.000123456789 ETH.',
    'The destination leg needs 99.1234 WETH on Rollup; the solver holds 3 WETH. The largest amount that works is about 0.000123456 ETH.',
  ],
  [
    'The pools are too shallow; the largest amount that works is 5 USDC.e; ask later',
    'The pools are too shallow; the largest amount that works is 5 USDC.e; ask later',
  ],
  ['USDC at 0x1234.5 on chain 7 is unknown.', 'USDC at 0x1234.5 on chain 7 is unknown.'],
])('words %j for people', (message, words) => {
  expect(failureWords(message, chains)).toBe(words)
})

it('gives the amount that works in the currency that the user typed, exactly', () => {
  const typed = { chainId: 990001, address: '0x01', decimals: 18 }
  const data = { maxAmount: '12345678901234567891', maxAmountCurrency: typed }
  expect(workingAmountIn(data, typed)).toBe('12.345678901234567891')
  expect(workingAmountIn(data, { ...typed, address: '0x02' })).toBeUndefined()
  expect(workingAmountIn(data, { ...typed, chainId: 990002 })).toBeUndefined()
  expect(workingAmountIn({ minAmount: '5', minAmountCurrency: typed }, typed)).toBe(
    '0.000000000000000005',
  )
  expect(workingAmountIn(null, typed)).toBeUndefined()
})

it('words a refusal without options that the page lacks, and notes what it does not word itself', () => {
  const message = 'A quote is refused: too high. Set overridePriceImpact.'
  const refused = { code: 'QUOTE_REFUSED', message, data: { errorCode: 'SWAP_IMPACT_TOO_HIGH' } }
  const loss = { code: 'SWAP_IMPACT', message: 'The swaps lose', data: {} }
  const unknown = { code: 'NEW_CODE', message: 'Chain 7 and chain 990002', data: {} }
  expect(warningWords([refused, loss, unknown], chains)).toEqual({
    refusal: 'The gateway refuses a swap that loses so much. Swap a smaller amount.',
    notes: ['Chain 7 and Rollup'],
  })
  expect(warningWords([loss], chains)).toEqual({ refusal: undefined, notes: [] })
})
