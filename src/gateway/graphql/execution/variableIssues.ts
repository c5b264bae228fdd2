import type { StandardSchemaV1 } from '@pothos/plugin-validation'
import {
  coerceInputValue,
  type ExecutionArgs,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  getNullableType,
  getOperationAST,
  isInputObjectType,
  isInputType,
  isNonNullType,
  typeFromAST,
} from 'graphql'
import type { Issue } from '#src/gateway/http/invalidRequest.ts'

/**
 * All issues of the variables of an operation that graphql-js has refused. graphql-js reports wrong types and
 * missing fields only; the zod schema of the input also checks the values of the other fields. Paths begin
 * inside of an input object, else with the variable, such as `$first`. Empty if the variables are not the problem.
 */
export function variableIssues(args: ExecutionArgs): readonly Issue[] {
  const operation = getOperationAST(args.document, args.operationName)
  return (operation?.variableDefinitions ?? []).flatMap((definition) => {
    const name = definition.variable.name.value
    const value = args.variableValues?.[name]
    const type = typeFromAST(args.schema, definition.type)
    const optional = !isNonNullType(type) || definition.defaultValue !== undefined
    if (!isInputType(type) || (value === undefined && optional)) return []
    const place = isInputObjectType(getNullableType(type)) ? [] : [`$${name}`]
    return issuesOf(value, type).map(({ path = [], message, keys }) => ({
      path: [...place, ...path],
      message,
      ...(keys && { keys }),
    }))
  })
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

/** The schemas of an input type, or of the argument that takes it. */
function schemasOf({ extensions }: GraphQLInputObjectType): readonly StandardSchemaV1[] {
  const { contentSchema } = extensions as { contentSchema?: StandardSchemaV1 }
  if (contentSchema !== undefined) return [contentSchema]
  return extensions['@pothos/plugin-validation']?.schemas ?? []
}

/** All our schemas are synchronous: a promise never comes. */
function contentIssues(value: unknown, schema: StandardSchemaV1): readonly Issue[] {
  const result = schema['~standard'].validate(value)
  return ('issues' in result && result.issues) || []
}
