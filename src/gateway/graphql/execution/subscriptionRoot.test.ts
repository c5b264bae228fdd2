import { parse } from 'graphql'
import { expect, it } from 'vitest'
import { conditionalRootErrors, subscribedField } from './subscriptionRoot.ts'

const fieldOf = (text: string, name?: string) => subscribedField(parse(text), name)?.name.value

it('the field of a subscription may be inside fragments', () => {
  const deep = `subscription { ... on Subscription { ...Outer } }
    fragment Outer on Subscription { ...Inner } fragment Inner on Subscription { live: price { blocks } }`
  expect(fieldOf('subscription { live: price { blocks } }')).toBe('price')
  expect(fieldOf(deep)).toBe('price')
  expect(fieldOf('subscription A { price } subscription B { chainHead }', 'B')).toBe('chainHead')
  expect(fieldOf('subscription A { price } subscription B { chainHead }', 'C')).toBeUndefined()
})

it('conditions at the root of a subscription are refused, and no others', () => {
  const refused = (text: string) =>
    conditionalRootErrors(parse(text)).map(({ message }) => message.split('@')[1])
  expect(refused('subscription { price @include(if: false) }')).toEqual(['include'])
  expect(refused('subscription ($s: Boolean!) { price @skip(if: $s) }')).toEqual(['skip'])
  expect(refused('subscription { ... @skip(if: true) { price @include(if: true) } }')).toEqual([
    'skip',
    'include',
  ])
  expect(
    refused('subscription { ...A @skip(if: true) } fragment A on Subscription { price }'),
  ).toEqual(['skip'])
  expect(refused('query { price @skip(if: true) }')).toEqual([])
  expect(refused('subscription { price { blocks @skip(if: true) } }')).toEqual([])
})

it('the search ends for unknown fragments and for fragments that spread themselves', () => {
  const text = 'subscription { ...A ...B } fragment A on Subscription { ...A ...C }'
  expect(fieldOf(text)).toBeUndefined()
  expect(conditionalRootErrors(parse(text))).toEqual([])
})
