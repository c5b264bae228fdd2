import { expect, it } from 'vitest'
import { nativeAddress } from '#src/core/units/address.ts'
import type { Currency } from '#src/page/api/answers.ts'
import { orderOf } from '#src/page/state/order.js'

const ether = (chainId: number) =>
  ({ chainId, address: nativeAddress, symbol: 'ETH', decimals: 18 }) as unknown as Currency

function orderFor(amount: string, slippage = '') {
  const chosen = { origin: ether(1), destination: ether(2), side: 'in' as const, amount }
  return orderOf(chosen, { slippage, recipient: '', refund: false, gasless: false }, undefined)
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
