import { type GraphQLNamedType, isObjectType } from 'graphql'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** `shape` with the descriptions that `type` has, of itself and of its fields, where it has no own. */
export function withGraphqlTexts(
  type: GraphQLNamedType | undefined,
  shape: JsonSchema,
): JsonSchema {
  if (!isObjectType(type)) return shape
  const fields = type.getFields()
  const properties = Object.entries(shape.properties ?? {}).map(([key, property]) => {
    const said = fields[key]?.description
    if (typeof property === 'boolean' || property.description || !said) return [key, property]
    return [key, { ...property, description: restText(said) }]
  })
  return {
    ...(type.description ? { description: restText(type.description) } : {}),
    ...shape,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  }
}

/** What is null in GraphQL is not there at all in REST. */
const restText = (text: string): string => text.replaceAll(/\bnull\b/g, 'absent')
