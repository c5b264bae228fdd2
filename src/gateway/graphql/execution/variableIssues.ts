import type { StandardSchemaV1 } from '@pothos/plugin-validation'
import {
  coerceInputValue,
  type DocumentNode,
  type ExecutionArgs,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isNonNullType,
  Kind,
  typeFromAST,
  visit,
} from 'graphql'
import type { Issue } from '#src/gateway/http/fieldIssues.ts'

/**
 * All issues of the variables of an operation that graphql-js has refused. graphql-js reports wrong types and missing
 * fields only; the zod schema of the input also checks the values of the other fields. Paths start inside a given input
 * object, else with the argument of the variable. Empty if the variables are not the problem.
 */
export function variableIssues(args: ExecutionArgs): readonly Issue[] {
  const operation = getOperationAST(args.document, args.operationName)
  const argumentNames = argumentsByVariable(args.document)
  return (operation?.variableDefinitions ?? []).flatMap((definition) => {
    const name = definition.variable.name.value
    const value = args.variableValues?.[name]
    const type = typeFromAST(args.schema, definition.type)
    const optional = !isNonNullType(type) || definition.defaultValue !== undefined
    if (!isInputType(type) || (value === undefined && optional)) return []
    const isInside = isInputObjectType(getNullableType(type)) && value != null
    const place = isInside ? [] : [argumentNames.get(name) ?? `$${name}`]
    return issuesOf(value, type).map(({ path = [], message, keys, params }) => ({
      path: [...place, ...path],
      message,
      ...(keys && { keys }),
      ...(params && { params }),
    }))
  })
}

/** Maps each variable to the first argument whose whole value it is. */
function argumentsByVariable(document: DocumentNode): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  visit(document, {
    Field({ arguments: taken = [] }) {
      for (const { name, value } of taken)
        if (value.kind === Kind.VARIABLE && !found.has(value.name.value))
          found.set(value.name.value, name.value)
    },
  })
  return found
}

function issuesOf(value: unknown, type: GraphQLInputType): readonly Issue[] {
  if (value === undefined || value === null)
    return isNonNullType(type) ? [{ message: `A value of type ${type} is required` }] : []
  const named = getNullableType(type)
  const schemas = isInputObjectType(named) ? schemasOf(named) : []
  if (schemas.length > 0) return schemas.flatMap((schema) => contentIssues(value, schema))
  const issues: Issue[] = []
  coerceInputValue(value, type, (path, _value, { message }) => issues.push({ path, message }))
  return issues
}

/** The schemas of an input type, or of its argument. */
function schemasOf({ extensions }: GraphQLInputObjectType): readonly StandardSchemaV1[] {
  const { contentSchema } = extensions as { contentSchema?: StandardSchemaV1 }
  if (contentSchema !== undefined) return [contentSchema]
  return extensions['@pothos/plugin-validation']?.schemas ?? []
}

/** All our schemas are synchronous, so the result is never a promise. */
function contentIssues(value: unknown, schema: StandardSchemaV1): readonly Issue[] {
  const result = schema['~standard'].validate(value)
  return ('issues' in result && result.issues) || []
}
