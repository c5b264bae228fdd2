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
  return described
}

/** The items of a `boundedList`, whose input side knows nothing but its length. */
function boundedItemOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const out = schema instanceof z.ZodPipe ? schema.out : undefined
  return out instanceof z.ZodArray && out.element instanceof z.ZodType ? out.element : undefined
}
