import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** What a client may send for `schema` to judge, as JSON Schema (draft 2020-12). */
export function inputSchemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...described } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const items = boundedItemOf(zodSchema)
      if (items !== undefined) jsonSchema.items = inputSchemaOf(items)
    },
  })
  for (const property of Object.values(described.properties ?? {})) joinNull(property)
  return described
}

/** The items of a `boundedList`, whose input side knows nothing but its length. */
function boundedItemOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const out = schema instanceof z.ZodPipe ? schema.out : undefined
  return out instanceof z.ZodArray && out.element instanceof z.ZodType ? out.element : undefined
}

/** Says "a string or null" in one, where zod says "either a string, or null". */
function joinNull(schema: z.core.JSONSchema._JSONSchema): void {
  const [shape, none, ...others] = (typeof schema === 'object' && schema.anyOf) || []
  if (typeof shape !== 'object' || typeof none !== 'object' || others.length > 0) return
  if (typeof schema !== 'object' || none.type !== 'null' || typeof shape.type !== 'string') return
  delete schema.anyOf
  Object.assign(schema, { ...shape, ...schema, type: [shape.type, 'null'] })
}
