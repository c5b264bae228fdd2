import fc from 'fast-check'
import { parse } from 'graphql'
import { describe, expect, it } from 'vitest'
import { withoutLists } from './quietLists.ts'

const block = fc.record({ number: fc.nat(), hash: fc.constantFrom('0x1', '0x2') })

/** Texts that contain the names of the lists, but are not lists. */
const text = fc.oneof(
  fc.string(),
  fc.constantFrom('"blocks":[1]', '\\"blocks":[', '"at":[{}]', ']', '\\'),
)
const answer = fc.record({
  text,
  blocks: fc.array(block),
  price: fc.option(fc.record({ text, at: fc.array(block), list: fc.array(text) })),
})

describe('withoutLists', () => {
  it('makes answers equal that differ in these lists alone', () => {
    const compare = withoutLists(
      parse('{ event { text blocks { number hash } price { text at: blocks { number } list } } }'),
      'blocks',
    )
    fc.assert(
      fc.property(answer, answer, fc.boolean(), (one, drawn, isSame) => {
        const other = isSame
          ? { ...one, blocks: drawn.blocks, price: one.price && { ...one.price, at: [] } }
          : drawn
        const bare = ({ price, ...rest }: typeof one) =>
          JSON.stringify({ ...rest, blocks: [], price: price && { ...price, at: [] } })
        const [first, second] = [one, other].map((each) => compare?.(JSON.stringify(each)))
        expect(first === second).toBe(bare(one) === bare(other))
      }),
    )
  })

  it('leaves a document alone that does not select them', () => {
    expect(withoutLists(parse('{ event { text } }'), 'blocks')?.('{"text":""}')).toBe('{"text":""}')
  })

  it.each(['{ event { blocks { number } price { blocks: list } } }', '{ a: blocks b { a } }'])(
    'does not distinguish lists from others of the same key: %s',
    (document) => {
      expect(withoutLists(parse(document), 'blocks')).toBeUndefined()
    },
  )
})
