import { expect, it } from 'vitest'
import { nativeAddress, toAddress } from './address.ts'
import { effectOf, mayDelegate } from './authorization.ts'

const [code, other] = [toAddress(`0x${'ab'.repeat(20)}`), toAddress(`0x${'cd'.repeat(20)}`)]
const delegates = (to: string) => `0xef0100${to.slice(2)}` as const

it.each([
  ['applies to an account without code', 3, '0x', code, 'applies'],
  ['applies to an account that delegates elsewhere', 3, delegates(other), code, 'applies'],
  ['ends a delegation', 3, delegates(other), nativeAddress, 'applies'],
  ['is applied, from any sender', 4, delegates(code), code, 'applied'],
  ['is applied before its nonce is used', 3, delegates(code), code, 'applied'],
  ['is applied in any case of a node’s answer', 9, `0xEF0100${'AB'.repeat(20)}`, code, 'applied'],
  ['has nothing to end', 9, '0x', nativeAddress, 'applied'],
  ['is stale after its nonce', 4, '0x', code, 'stale'],
  ['is stale before its nonce', 2, '0x', code, 'stale'],
  ['is stale where the account has become a contract', 3, '0x6001', code, 'stale'],
  ['is stale for code that only begins like a delegation', 3, '0xef0100', code, 'stale'],
] as const)('an authorization %s', (_, nonce, held, address, effect) => {
  expect(effectOf({ address, nonce: 3 }, { nonce, code: held as `0x${string}` })).toBe(effect)
})

it('contracts cannot delegate', () => {
  expect(
    ['0x', delegates(code), '0x6001', '0xef01'].map((each) => mayDelegate({ code: each as '0x' })),
  ).toEqual([true, true, false, false])
})
