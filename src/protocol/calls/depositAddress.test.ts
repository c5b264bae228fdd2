import { expect, it } from 'vitest'
import { toAddress } from '#src/core/units/address.ts'
import { depositAddressOf, depositorOf } from './depositAddress.ts'

const account = (digit: string) => toAddress(`0x${digit.repeat(40)}`)

it('depends on the order and the depositor', () => {
  const terms = { orderId: `0x${'5a'.repeat(32)}`, depositor: account('7') } as const
  expect(depositAddressOf(account('f'), terms)).toMatchInlineSnapshot(
    `"0x25588ca76e2657e9c8c523ed3e29aa89d19e6579"`,
  )
  expect(depositAddressOf(account('f'), { ...terms, depositor: account('8') })).not.toBe(
    depositAddressOf(account('f'), terms),
  )
})

it('deposits in the name of the user, or of the refund recipient if there is no user', () => {
  const refundTo = account('2')
  expect(depositorOf({ user: account('1'), refundTo })).toBe(account('1'))
  for (const user of [account('0'), toAddress('0x000000000000000000000000000000000000dEaD')])
    expect(depositorOf({ user, refundTo })).toBe(refundTo)
})
