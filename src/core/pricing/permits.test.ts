import { expect, it } from 'vitest'
import { toUsd } from '#src/core/units/usd.ts'
import { account, currencyOf, originChain } from '#test/support/fixtures/markets.ts'
import { checkSponsored } from './permits.ts'
import type { Price } from './price.ts'

/** A swap by signature whose sponsor pays at most $1, and would pay `subsidized`. */
const sponsoredFor = (subsidized: bigint | undefined, payer?: Price['order']['user']) =>
  ({
    order: {
      origin: currencyOf(originChain, 'USDC'),
      sponsorship: { maxUsd: toUsd(1_000_000n) },
      permit: { kind: 'permit2', ...(payer !== undefined && { payer }) },
    },
    fees: { subsidized: { usd: subsidized } },
  }) as unknown as Price

it('a swap by signature costs its sponsor no more than the sponsor’s limit', () => {
  expect(() => checkSponsored(sponsoredFor(1_000_000n))).not.toThrow()
  for (const subsidized of [1_000_001n, undefined])
    expect(() => checkSponsored(sponsoredFor(subsidized))).toThrow(
      expect.objectContaining({ code: 'UNSUPPORTED_EXECUTION_TYPE' }),
    )
  // Somebody else pays its gas.
  expect(() => checkSponsored(sponsoredFor(1_000_001n, account('9')))).not.toThrow()
})
