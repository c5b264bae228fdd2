import { expect, it } from 'vitest'
import { failureWords } from './failureWords.js'

const chains = [
  { chainId: 990001, displayName: 'Ethereum' },
  { chainId: 990002, displayName: 'Rollup' },
]

it.each([
  [
    'No swap route found (origin leg: chain 990001, ETH to FERN): the pools are too shallow for 1000.0 ETH; the largest amount that works is 12.345678901234567891 ETH.',
    'No swap route found (origin leg: Ethereum, ETH to FERN): the pools are too shallow for 1,000 ETH; the largest amount that works is 12.3456 ETH.',
    '12.345678901234567891',
  ],
  [
    'The destination leg needs 99.123456789 WETH on chain 990002; the solver holds 3 WETH. The largest amount that works is about 0.000123456789 ETH.',
    'The destination leg needs 99.1234 WETH on Rollup; the solver holds 3 WETH. The largest amount that works is about 0.000123456 ETH.',
    '0.000123456789',
  ],
  [
    'The pools are too shallow; the largest amount that works is 5 USDC.e; ask later',
    'The pools are too shallow; the largest amount that works is 5 USDC.e; ask later',
    undefined,
  ],
  ['USDC at 0x1234.5 on chain 7 is unknown.', 'USDC at 0x1234.5 on chain 7 is unknown.', undefined],
])('words %j for people', (message, words, largest) => {
  expect(failureWords(message, chains, 'ETH')).toEqual({ words, ...(largest && { largest }) })
})
