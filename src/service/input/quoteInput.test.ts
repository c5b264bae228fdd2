import { expect, it } from 'vitest'
import { crossChainInput } from '#test/support/canned/cannedOperations.ts'
import { quoteInput } from './quoteInput.ts'

const call = (bytes: number) => ({
  to: crossChainInput.user,
  value: '0',
  data: `0x${'00'.repeat(bytes)}`,
})

const issuesOf = (changes: object) =>
  quoteInput
    .safeParse({ ...crossChainInput, ...changes })
    .error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

it('takes no order whose fill no transaction could carry', () => {
  const largest = { txsGasLimit: 15_000_000, txs: [call(65_535), call(98_304 - 65_535)] }
  expect(issuesOf(largest)).toBeUndefined()
  expect(issuesOf({ txsGasLimit: 15_000_001, txs: [call(65_535), call(32_770)] })).toEqual([
    'txs: At most 98304 bytes of calldata in all',
    'txsGasLimit: At most 15000000 gas: a transaction may use 16777216',
  ])
})
