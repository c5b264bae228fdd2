import { expect, it } from 'vitest'
import { toUsd } from '#src/core/units/usd.ts'
import { type AddressRequest, withSponsorRest } from './paymentTerms.ts'

it('the sponsor of an address pays no more for all payments together than its limit', () => {
  const address = { open: { sponsoredUsd: toUsd(100n) } } as AddressRequest
  const restAfter = (spent: bigint) => withSponsorRest(address, toUsd(spent)).open.sponsoredUsd
  expect([0n, 60n, 100n, 101n].map(restAfter)).toEqual([100n, 40n, 0n, 0n])
  const unsponsored = { open: {} } as AddressRequest
  expect(withSponsorRest(unsponsored, toUsd(0n))).toBe(unsponsored)
})
