import { expect, it } from 'vitest'
import type { Currency } from '#src/page/api/answers.ts'
import { inOrderOfUse } from './inOrderOfUse.js'

const currency = (address: string) => ({ address }) as Currency
const entry = (address: string, balance?: bigint) => ({ currency: currency(address), balance })

it('lists what the user holds, then what the solver pays, then the others as they came', () => {
  const found = [entry('a'), entry('solver', 0n), entry('b', 0n), entry('held', 1n), entry('c')]
  const chain = { solverCurrencies: [{ currency: currency('solver') }] }
  expect(inOrderOfUse(found, chain).map((each) => each.currency.address)).toEqual([
    'held',
    'solver',
    'a',
    'b',
    'c',
  ])
})
