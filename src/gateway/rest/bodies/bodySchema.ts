import { z } from 'zod'

/** The shapes of answers that the OpenAPI document has by name. */
export const components = z.registry<{ id: string }>()

/**
 * Puts a shape into the document as `id`. What the GraphQL type of that name says of itself and of its
 * fields is what the document says of these, where they say nothing themselves.
 */
export function component<Schema extends z.ZodType>(id: string, schema: Schema): Schema {
  components.add(schema, { id })
  return schema
}
