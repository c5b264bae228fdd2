import { expect, it } from 'vitest'
import type { Currency } from '#src/page/api/answers.ts'
import { inOrderOfUse } from './inOrderOfUse.js'

const currency = (address: string) => ({ address }) as Currency
const entry = (address: string, balance?: bigint) => ({ currency: currency(address), balance })

it('lists what the user holds first, and the others as they came', () => {
  const found = [entry('a'), entry('b', 0n), entry('held', 1n), entry('c')]
  expect(inOrderOfUse(found).map((each) => each.currency.address)).toEqual(['held', 'a', 'b', 'c'])
})
