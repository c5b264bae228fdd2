import fc from 'fast-check'
import {
  type AbiParameter,
  decodeAbiParameters,
  encodeAbiParameters,
  getAddress,
  type Hex,
  isAddress,
} from 'viem'
import { expect, test } from 'vitest'
import { decodeAbi, encodeAbi } from './abiCoding.ts'

/** A parameter and a value of it. */
type Case = Readonly<{ parameter: AbiParameter; value: unknown }>

const bytes = (size: fc.Arbitrary<number>) =>
  size.chain((length) =>
    fc
      .uint8Array({ minLength: length, maxLength: length })
      .map((some): Hex => `0x${Buffer.from(some).toString('hex')}`),
  )

const integer = fc
  .record({ isSigned: fc.boolean(), bits: fc.integer({ min: 1, max: 32 }).map((size) => 8 * size) })
  .chain(({ isSigned, bits }) => {
    const half = 2n ** BigInt(bits - 1)
    return (isSigned ? fc.bigInt(-half, half - 1n) : fc.bigInt(0n, 2n * half - 1n)).map(
      (value): Case => ({
        parameter: { type: `${isSigned ? '' : 'u'}int${bits}` },
        value: bits > 48 ? value : Number(value),
      }),
    )
  })

const leaf: fc.Arbitrary<Case> = fc.oneof(
  integer,
  fc.boolean().map((value) => ({ parameter: { type: 'bool' }, value })),
  bytes(fc.constant(20)).map((value) => ({ parameter: { type: 'address' }, value })),
  bytes(fc.nat(70)).map((value) => ({ parameter: { type: 'bytes' }, value })),
)

const fields = (some: readonly Case[]): Case => ({
  parameter: {
    type: 'tuple',
    components: some.map(({ parameter }, at) => ({ ...parameter, name: `field${at}` })),
  } as AbiParameter,
  value: Object.fromEntries(some.map(({ value }, at) => [`field${at}`, value])),
})

/** An item whose type all others have. */
const listed = ({ parameter, value }: Case, length: number): Case => ({
  parameter: { ...parameter, type: `${parameter.type}[]` },
  value: Array(length).fill(value),
})

const { any } = fc.letrec<{ any: Case }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('any'), { minLength: 1, maxLength: 4 }).map(fields),
    fc.tuple(tie('any'), fc.nat(3)).map(([item, length]) => listed(item, length)),
  ),
}))

const cases = fc.array(any, { minLength: 1, maxLength: 4 }).map((some) => ({
  parameters: some.map(({ parameter }) => parameter),
  values: some.map(({ value }) => value),
}))

/** With addresses in lower case. */
function lowered(value: unknown): unknown {
  if (typeof value === 'string') return isAddress(value) ? value.toLowerCase() : value
  if (Array.isArray(value)) return value.map(lowered)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lowered(each)]))
}

test('encodes and decodes values of any type as viem does', () => {
  fc.assert(
    fc.property(cases, ({ parameters, values }) => {
      const encoded = encodeAbiParameters(parameters, values)
      expect(encodeAbi(parameters, values)).toBe(encoded.slice(2))
      expect(decodeAbi(parameters, encoded)).toEqual(values)
    }),
    { numRuns: 500 },
  )
})

/** Words that make lengths and offsets wrong, and some that are right. */
const spoilt = fc.record({
  place: fc.nat(40),
  word: fc.oneof(fc.nat(400).map(BigInt), fc.bigInt(0n, 2n ** 256n - 1n)),
  isUpperCase: fc.boolean(),
  lost: fc.nat(40),
})

test('decodes a corrupt encoding as viem does', () => {
  fc.assert(
    fc.property(cases, spoilt, ({ parameters, values }, { place, word, isUpperCase, lost }) => {
      const encoded = encodeAbiParameters(parameters, values).slice(2)
      const at = 64 * (place % (encoded.length / 64))
      const written = `${encoded.slice(0, at)}${word.toString(16).padStart(64, '0')}${encoded.slice(at + 64)}`
      const remaining = written.slice(0, written.length - 2 * lost)
      const data: Hex = `0x${isUpperCase ? remaining.toUpperCase() : remaining}`
      const decoded = decodeAbi(parameters, data)
      if (decoded !== undefined)
        expect(decoded).toEqual(lowered(decodeAbiParameters(parameters, data)))
    }),
    { numRuns: 2_000 },
  )
})

test.each([
  { type: 'string', value: 'one', reason: 'a type' },
  { type: 'uint8[2]', value: [1, 2], reason: 'a list of fixed length' },
  { type: 'uint8', value: 256, reason: 'a number that is too large' },
  { type: 'int8', value: -129n, reason: 'a number that is too small' },
  { type: 'uint8', value: 0.5, reason: 'a fraction' },
  { type: 'uint256', value: '1', reason: 'a text' },
  { type: 'address', value: getAddress(`0x${'ab'.repeat(20)}`), reason: 'a checksum' },
  { type: 'address', value: `0x${'1'.repeat(39)}`, reason: 'a short address' },
  { type: 'bytes', value: '0x1', reason: 'half a byte' },
  { type: 'bool', value: 1, reason: 'no boolean' },
])('leaves $reason to viem', ({ type, value }) => {
  expect(encodeAbi([{ type }], [value])).toBeUndefined()
})

test('refuses an encoding whose parts overlap, which would have more values than the data', () => {
  const lists = 1_000
  const word = (value: number) => value.toString(16).padStart(64, '0')
  // Each list of the list begins at the same place.
  const offsets = Array(lists).fill(word(32 * lists))
  const data: Hex = `0x${[word(32), word(lists), ...offsets, word(lists), ...Array(lists).fill(word(7))].join('')}`
  expect(decodeAbi([{ type: 'uint256[][]' }], data)).toBeUndefined()
})
