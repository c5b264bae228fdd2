import { readFileSync } from 'node:fs'
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  isScalarType,
  printSchema,
} from 'graphql'
import { describe, expect, it } from 'vitest'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { multiInput, originInput } from '#src/service/input/multiInput.ts'
import { priceInput } from '#src/service/input/priceInput.ts'
import { quoteInput } from '#src/service/input/quoteInput.ts'

const schema = createSchema()
const types = Object.values(schema.getTypeMap()).filter(
  ({ name }) =>
    !name.startsWith('__') && !['Boolean', 'Float', 'ID', 'Int', 'String'].includes(name),
)

/** Every element of the schema that can have a description, with its description. */
function* described(type: GraphQLNamedType): Generator<[place: string, description: unknown]> {
  yield [type.name, type.description]
  if (isEnumType(type))
    for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value.description]
  if (!isObjectType(type) && !isInputObjectType(type)) return
  for (const field of Object.values(type.getFields())) {
    yield [`${type.name}.${field.name}`, field.description]
    if ('args' in field)
      for (const argument of field.args)
        yield [`${type.name}.${field.name}(${argument.name})`, argument.description]
  }
}

describe('schema', () => {
  it('has its own types for ids, addresses and kinds', () => {
    const typeOf = (owner: string, field: string) => {
      const type = schema.getType(owner)
      if (!isObjectType(type) && !isInputObjectType(type)) return undefined
      return String(type.getFields()[field]?.type)
    }
    expect([
      typeOf('SignatureRequest', 'kind'),
      typeOf('SignatureRequest', 'typedData'),
      typeOf('Step', 'kind'),
      typeOf('StepItem', 'status'),
      typeOf('Check', 'method'),
      typeOf('Step', 'depositAddress'),
      typeOf('RouteHop', 'poolId'),
      typeOf('QuoteInput', 'depositFeePayer'),
    ]).toEqual([
      'PermitKind!',
      'JsonObject!',
      'StepKind!',
      'StepItemStatus!',
      'CheckMethod!',
      'Address',
      'Hex',
      'Address',
    ])
  })

  it('describes every type, field, argument and enum value in complete sentences', () => {
    const places = types.flatMap((type) => [...described(type)])
    expect(places.length).toBeGreaterThan(100)
    expect(
      places.filter(([, text]) => typeof text !== 'string' || !/^[^a-z].*[.)]$/s.test(text)),
    ).toEqual([])
  })

  it('specifies the format of every custom scalar', () => {
    const own = types.filter(isScalarType)
    expect(own.length).toBeGreaterThan(10)
    expect(own.filter(({ specifiedByURL }) => !specifiedByURL?.startsWith('https://'))).toEqual([])
  })

  it('calls no amount a currency, and no number of milliseconds just a time', () => {
    const fields = types
      .filter(isObjectType)
      .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })))
    const amounts = fields.filter(
      ({ field }) => field.name === 'currency' && /Amount/.test(String(field.type)),
    )
    expect(amounts).toEqual([])
    const times = fields.filter(({ field }) => /milliseconds since/.test(field.description ?? ''))
    const unclear = times.filter(
      ({ field }) => !field.name.endsWith('Ms') && field.deprecationReason == null,
    )
    expect([times.length > 0, unclear]).toEqual([true, []])
  })

  it('matches schema.graphql', () => {
    expect(readFileSync('schema.graphql', 'utf8')).toBe(`${printSchema(schema)}\n`)
  })

  it.each([
    ['PriceInput', priceInput],
    ['QuoteInput', quoteInput],
    ['MultiInputQuoteInput', multiInput],
    ['OriginInput', originInput],
  ])('accepts exactly the fields of the zod schema: %s', (name, { shape }) => {
    const type = schema.getType(name)
    const fields = isInputObjectType(type) ? Object.keys(type.getFields()) : []
    expect(fields.sort()).toEqual(Object.keys(shape).sort())
  })
})
