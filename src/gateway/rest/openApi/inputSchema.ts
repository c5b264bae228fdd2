import { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** The input side of a zod schema, which clients send, as JSON Schema (draft 2020-12). */
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

/** The item schema of a `boundedList`. zod itself sees only the length limit of its input side. */
function boundedItemOf(schema: z.core.$ZodType): z.ZodType | undefined {
  const out = schema instanceof z.ZodPipe ? schema.out : undefined
  return out instanceof z.ZodArray && out.element instanceof z.ZodType ? out.element : undefined
}

/** Rewrites `anyOf: [string, null]` as `type: ['string', 'null']`, which readers and generators handle better. */
function joinNull(schema: z.core.JSONSchema._JSONSchema): void {
  const [shape, none, ...others] = (typeof schema === 'object' && schema.anyOf) || []
  if (typeof shape !== 'object' || typeof none !== 'object' || others.length > 0) return
  if (typeof schema !== 'object' || none.type !== 'null' || typeof shape.type !== 'string') return
  delete schema.anyOf
  Object.assign(schema, { ...shape, ...schema, type: [shape.type, 'null'] })
}
