import { type GraphQLNamedType, isObjectType } from 'graphql'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema

/** Fills in missing descriptions of a JSON schema and its properties from the GraphQL type of the same name. */
export function withGraphqlDescriptions(
  type: GraphQLNamedType | undefined,
  shape: JsonSchema,
): JsonSchema {
  if (!isObjectType(type)) return shape
  const fields = type.getFields()
  const properties = Object.entries(shape.properties ?? {}).map(([key, property]) => {
    const text = fields[key]?.description
    if (typeof property === 'boolean' || property.description || !text) return [key, property]
    return [key, { ...property, description: toRestText(text) }]
  })
  return {
    ...(type.description ? { description: toRestText(type.description) } : {}),
    ...shape,
    ...(properties.length > 0 ? { properties: Object.fromEntries(properties) } : {}),
  }
}

/** REST leaves a field out if GraphQL answers null. */
const toRestText = (text: string): string => text.replaceAll(/\bnull\b/g, 'absent')
