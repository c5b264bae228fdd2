import type { AbiParameter, Hex } from 'viem'

/**
 * ABI-encodes values, without `0x`. Undefined for an unsupported type or value, which the caller leaves to viem. viem
 * takes ten times as long.
 */
export function encodeAbi(
  parameters: readonly AbiParameter[],
  values: readonly unknown[],
): string | undefined {
  if (parameters.length !== values.length) return undefined
  try {
    return encodeFields(parameters.map((parameter, at) => encode(parameter, values[at])))
  } catch (error) {
    if (error instanceof UnusualError) return undefined
    throw error
  }
}

/** The type, the value or the encoding is unsupported, and left to viem. */
class UnusualError extends Error {}

type Encoded = Readonly<{ digits: string; isDynamic: boolean }>

/** The heads of all fields, then the contents of the dynamic ones. The head of a dynamic field is its offset. */
function encodeFields(fields: readonly Encoded[]): string {
  let end = 0
  for (const { digits, isDynamic } of fields) end += isDynamic ? 64 : digits.length
  const heads: string[] = []
  const tails: string[] = []
  for (const { digits, isDynamic } of fields)
    if (isDynamic) {
      heads.push(toWord(end / 2))
      tails.push(digits)
      end += digits.length
    } else heads.push(digits)
  return heads.join('') + tails.join('')
}

function encode(parameter: AbiParameter, value: unknown): Encoded {
  const { type } = parameter
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) throw new UnusualError()
    const item = { ...parameter, type: type.slice(0, -2) }
    const fields = encodeFields(value.map((each) => encode(item, each)))
    return { digits: toWord(value.length) + fields, isDynamic: true }
  }
  if (type === 'tuple')
    return encodeTuple('components' in parameter ? parameter.components : [], value)
  if (type === 'bytes') return { digits: encodeBytes(value), isDynamic: true }
  return { digits: encodeWord(type, value), isDynamic: false }
}

function encodeTuple(components: readonly AbiParameter[], value: unknown): Encoded {
  const fields = components.map((component) => {
    const { name } = component
    if (!name || typeof value !== 'object' || value === null) throw new UnusualError()
    return encode(component, (value as Readonly<Record<string, unknown>>)[name])
  })
  return { digits: encodeFields(fields), isDynamic: fields.some(({ isDynamic }) => isDynamic) }
}

function encodeBytes(value: unknown): string {
  if (typeof value !== 'string' || !/^0x(?:[0-9a-f]{2})*$/.test(value)) throw new UnusualError()
  const digits = value.slice(2)
  return toWord(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
}

function encodeWord(type: string, value: unknown): string {
  if (type === 'address' && typeof value === 'string' && /^0x[0-9a-f]{40}$/.test(value))
    return value.slice(2).padStart(64, '0')
  if (type === 'bool' && typeof value === 'boolean') return toWord(value ? 1 : 0)
  const [, sign, bits] = /^(u?int)(\d+)$/.exec(type) ?? []
  if (sign !== undefined) return encodeInteger(value, sign === 'int', BigInt(bits ?? 0))
  throw new UnusualError()
}

function encodeInteger(given: unknown, isSigned: boolean, bits: bigint): string {
  if (typeof given !== 'bigint' && !Number.isSafeInteger(given)) throw new UnusualError()
  const value = BigInt(given as bigint | number)
  const min = isSigned ? -(1n << (bits - 1n)) : 0n
  if (value < min || value >= min + (1n << bits)) throw new UnusualError()
  return BigInt.asUintN(256, value).toString(16).padStart(64, '0')
}

const toWord = (value: number): string => value.toString(16).padStart(64, '0')

/**
 * Decodes ABI-encoded parameters as viem does, but returns addresses in lower case. Undefined for an unsupported type
 * or encoding, which the caller leaves to viem. viem takes twenty times as long, because it copies each word into bytes
 * and back; the read of a market decodes hundreds of thousands of words.
 */
export function decodeAbi(
  parameters: readonly AbiParameter[],
  data: Hex,
): readonly unknown[] | undefined {
  const fields = fieldsOf(parameters)
  if (fields === undefined) return undefined
  const digits = data.toLowerCase()
  const source = { digits, wordsLeft: digits.length / wordDigits }
  try {
    return readFields(source, 2, fields)
  } catch (error) {
    if (error instanceof UnusualError) return undefined
    throw error
  }
}

/** `wordsLeft` bounds the work: an encoding with overlapping parts could decode to more values than fit into memory. */
type Source = { readonly digits: string; wordsLeft: number }

/** The decoder of one parameter. */
type Field = Readonly<{
  /** Number of words in the head of its tuple. A dynamic value has one: its offset. */
  words: number
  isDynamic: boolean
  /** @param at index of the value's first hex digit. */
  read: (source: Source, at: number) => unknown
}>

const wordDigits = 64

/** A cache: all calls of a function pass the same parameters object. */
const known = new WeakMap<readonly AbiParameter[], readonly Field[] | 'unusual'>()

function fieldsOf(parameters: readonly AbiParameter[]): readonly Field[] | undefined {
  let fields = known.get(parameters)
  if (fields === undefined) {
    const some = parameters.map(({ type, ...rest }) => fieldOf({ ...rest, type }))
    fields = some.every((field) => field !== undefined) ? some : 'unusual'
    known.set(parameters, fields)
  }
  return fields === 'unusual' ? undefined : fields
}

function fieldOf(parameter: AbiParameter): Field | undefined {
  const { type } = parameter
  if (type.endsWith('[]')) {
    const item = fieldOf({ ...parameter, type: type.slice(0, -2) })
    return item && arrayOf(item)
  }
  if (type === 'tuple') return tupleOf('components' in parameter ? parameter.components : [])
  if (type === 'bytes') return { words: 1, isDynamic: true, read: readBytes }
  const read = wordReaderOf(type)
  return read && { words: 1, isDynamic: false, read: (source, at) => read(wordAt(source, at)) }
}

const arrayOf = (item: Field): Field => ({
  words: 1,
  isDynamic: true,
  read: (source, at) => {
    const length = indexAt(source, at)
    if (length > source.wordsLeft) throw new UnusualError()
    return readFields(source, at + wordDigits, Array<Field>(length).fill(item))
  },
})

function tupleOf(components: readonly AbiParameter[]): Field | undefined {
  const fields = fieldsOf(components)
  const names = components.flatMap(({ name }) => name || [])
  if (fields === undefined || names.length !== components.length || names.length === 0)
    return undefined
  const isDynamic = fields.some((field) => field.isDynamic)
  return {
    words: isDynamic ? 1 : wordsOf(fields),
    isDynamic,
    read: (source, at) => {
      const values = readFields(source, at, fields)
      return Object.fromEntries(names.map((name, index) => [name, values[index]]))
    },
  }
}

const wordsOf = (fields: readonly Field[]): number =>
  fields.reduce((sum, { words }) => sum + words, 0)

/** @param start index of the first digit of the fields. Offsets of dynamic fields count from there. */
function readFields(source: Source, start: number, fields: readonly Field[]): readonly unknown[] {
  let head = start
  return fields.map(({ words, isDynamic, read }) => {
    const value = read(source, isDynamic ? start + 2 * indexAt(source, head) : head)
    head += words * wordDigits
    return value
  })
}

function wordAt(source: Source, at: number): string {
  const word = source.digits.slice(at, at + wordDigits)
  source.wordsLeft -= 1
  if (word.length < wordDigits || source.wordsLeft < 0) throw new UnusualError()
  return word
}

/** An offset or a length in bytes. */
function indexAt(source: Source, at: number): number {
  const index = Number.parseInt(wordAt(source, at), 16)
  if (!(index <= source.digits.length)) throw new UnusualError()
  return index
}

function readBytes(source: Source, at: number): Hex {
  const start = at + wordDigits
  const end = start + 2 * indexAt(source, at)
  if (end > source.digits.length) throw new UnusualError()
  source.wordsLeft -= (end - start) / wordDigits
  return `0x${source.digits.slice(start, end)}`
}

type WordReader = (word: string) => unknown

/** The reader of a type that takes one word; undefined for other types. */
function wordReaderOf(type: string): WordReader | undefined {
  if (type === 'address') return (word) => `0x${word.slice(-40)}`
  if (type === 'bool') return readBool
  const [, sign, bits] = /^(u?int)(\d+)$/.exec(type) ?? []
  if (sign !== undefined) return integerReader(sign === 'int', Number(bits))
  const [, bytes] = /^bytes(\d+)$/.exec(type) ?? []
  return bytes === undefined ? undefined : (word) => `0x${word.slice(0, 2 * Number(bytes))}`
}

function readBool(word: string): boolean {
  const value = Number.parseInt(word, 16)
  if (value !== 0 && value !== 1) throw new UnusualError()
  return value === 1
}

/** Like viem, returns integers of up to 48 bits as `number`. */
function integerReader(isSigned: boolean, bits: number): WordReader {
  const min = isSigned ? -(1n << BigInt(bits - 1)) : 0n
  const max = (1n << BigInt(isSigned ? bits - 1 : bits)) - 1n
  return (word) => {
    const unsigned = toBigInt(word)
    const value = isSigned ? BigInt.asIntN(256, unsigned) : unsigned
    if (value < min || value > max) throw new UnusualError()
    return bits > 48 ? value : Number(value)
  }
}

function toBigInt(word: string): bigint {
  try {
    return BigInt(`0x${word}`)
  } catch {
    throw new UnusualError()
  }
}
