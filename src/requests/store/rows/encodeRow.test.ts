import { bigint, json, pgTable } from 'drizzle-orm/pg-core'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodeRow } from './encodeRow.ts'

const table = pgTable('things', {
  atMost: bigint('at_most', { mode: 'bigint' }),
  terms: json('terms').$type<unknown>(),
})

const terms = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(undefined, null, true, '', '💶"\ud800', -0, 1.5, Number.NaN),
    fc.bigInt(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.string({ maxLength: 3 }), tie('value'), { maxKeys: 4 }),
  ),
})).value

it('writes the same as JSON.stringify with bigints as text, under the names of the columns', () => {
  fc.assert(
    fc.property(fc.option(fc.bigInt(), { nil: undefined }), terms, (atMost, terms) => {
      const expected = JSON.stringify({ at_most: atMost, terms }, (_, value: unknown) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      expect(encodeRow(table, { ...(atMost !== undefined && { atMost }), terms })).toBe(expected)
    }),
  )
})
