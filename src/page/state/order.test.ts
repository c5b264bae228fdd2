import { expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import { incinerator } from '#src/core/units/svm/pubkey.ts'
import type { Account } from '#src/page/accounts/provider.js'
import type { Currency } from '#src/page/api/answers.ts'
import { orderOf, type Parties } from '#src/page/state/order.js'

const ether = (chainId: number) =>
  ({ chainId, address: nativeAddress, symbol: 'ETH', decimals: 18 }) as unknown as Currency

function orderFor(amount: string, slippage = '', change: Partial<Parties> = {}, recipient = '') {
  const chosen = { origin: ether(1), destination: ether(2), side: 'in' as const, amount }
  const parties: Parties = {
    payerVm: 'evm',
    payeeVm: 'evm',
    account: undefined,
    payee: undefined,
    ...change,
  }
  return orderOf(chosen, { slippage, recipient, refund: false, gasless: false }, parties)
}

it('names the wrong field in a sentence', () => {
  expect(orderFor('1,5')).toEqual({
    fault: {
      field: 'amount',
      words: 'Type an amount such as 0.5, with a point and at most 18 decimals of ETH.',
    },
  })
  expect(orderFor('9'.repeat(80))).toEqual({
    fault: { field: 'amount', words: 'This amount of ETH is too large.' },
  })
  for (const slippage of ['0,5', '70', 'much'])
    expect(orderFor('1', slippage)).toEqual({
      fault: { field: 'slippage', words: 'Slippage is a percentage from 0 to 50, such as 0.5.' },
    })
})

it('has neither an order nor a fault while there is no amount', () => {
  expect([' ', '0', '0.00'].map((amount) => orderFor(amount, 'much'))).toEqual([{}, {}, {}])
})

it('counts in the smallest unit and in basis points', () => {
  const { input } = orderFor('1,234.5', '0.5')
  expect(input).toMatchObject({ amount: `${12_345n * 10n ** 17n}`, slippageTolerance: '50' })
})

it('names who is paid on another virtual machine, and nobody without an account', () => {
  const account = (vmType: 'evm' | 'svm', address: string) =>
    ({ vmType, key: address, address, label: '', send: async () => '' }) as unknown as Account
  const [payer, payee] = [account('evm', '0xabc'), account('svm', 'Ab1')]
  const across = { payeeVm: 'svm', account: payer } as const
  expect(orderFor('1', '', { account: payer, payee: payer }).input).not.toHaveProperty('recipient')
  expect(orderFor('1', '', { ...across, payee }).input).toMatchObject({
    user: '0xabc',
    recipient: 'Ab1',
  })
  expect(orderFor('1', '', { ...across, payee }, ' Cd2 ').input?.recipient).toBe('Cd2')
  expect(orderFor('1', '', across).input?.recipient).toBe(incinerator)
})

it('refunds the payer, also if another account is paid', () => {
  const account = { vmType: 'evm', address: '0xabc' } as unknown as Account
  expect(orderFor('1', '', { account }, '0xdef').input).toMatchObject({
    recipient: '0xdef',
    refundTo: '0xabc',
  })
})
