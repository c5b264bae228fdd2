import fc from 'fast-check'
import { bytesToHex, encodeAbiParameters, type Hex, stringToHex } from 'viem'
import { expect, test } from 'vitest'
import { decodeText } from './readCurrencies.ts'

const asString = (text: string): Hex => encodeAbiParameters([{ type: 'string' }], [text])
const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => bytesToHex(bytes))

test('plain text is unchanged, as a string and as bytes32', () => {
  const plain = fc.stringMatching(/^[A-Za-z0-9$._-]{1,31}$/)
  fc.assert(
    fc.property(plain, (text) => {
      expect(decodeText(asString(text), 32)).toBe(text)
      expect(decodeText(stringToHex(text, { size: 32 }), 32)).toBe(text)
    }),
  )
})

test('any answer decodes to a short, single-line, printable text', () => {
  const answer = fc.oneof(anyBytes, fc.string({ unit: 'binary', maxLength: 300 }).map(asString))
  fc.assert(
    fc.property(answer, fc.integer({ min: 1, max: 64 }), (data, maxCharacters) => {
      const text = decodeText(data, maxCharacters)
      if (text === undefined) return
      expect(Array.from(text).length).toBeLessThanOrEqual(maxCharacters)
      expect(text).toBe(text.trim())
      expect(text).not.toBe('')
      expect(text).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u)
      expect(text.isWellFormed()).toBe(true)
    }),
  )
})

test('removes control characters, direction marks and line breaks', () => {
  expect(decodeText(asString('US\u0000D\u202eC\n\t coin\u200b'), 32)).toBe('US D C coin')
  expect(decodeText(asString('\u0007\u0008'), 32)).toBeUndefined()
})

test('cuts a long text', () => {
  expect(decodeText(asString('A'.repeat(1000)), 32)).toBe('A'.repeat(32))
})

test('an answer with a wrong length is unreadable', () => {
  const lie = `0x${'20'.padStart(64, '0')}${'ff'.repeat(32)}` as const
  expect(decodeText(lie, 32)).toBeUndefined()
})
