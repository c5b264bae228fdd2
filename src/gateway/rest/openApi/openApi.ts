import { z } from 'zod'
import { type ErrorCode, statusByCode } from '#src/errors.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { components } from '#src/gateway/rest/bodies/bodySchema.ts'
import { errorBody } from '#src/gateway/rest/bodies/errorBody.ts'
import type { RestRoute } from '#src/gateway/rest/restRoute.ts'
import { restRoutes } from '#src/gateway/rest/restRoutes.ts'
import type { Operations } from '#src/operations/operations.ts'
import { withGraphqlTexts } from './graphqlDescriptions.ts'
import { inputSchemaOf } from './inputSchema.ts'

type JsonSchema = z.core.JSONSchema.JSONSchema
type Known = Pick<Operations, 'chains' | 'currencies'>

const description = `Prices and quotes for swaps and transfers between any two currencies, on one chain or between two; the same operations are at /graphql.

- **Amounts** are strings of decimal digits in the smallest unit of the currency (for example wei).
- **US dollars** are decimal strings with six decimals; what a zero amount is worth is "0".
- **What is not known is absent**: an optional field that has no value is left out. In a request, \`null\` counts as absent.
- **Errors** have a body of the shape \`Error\`: \`errorCode\` for programs, \`message\` for people. Codes may be added.`

/** The REST face as an OpenAPI 3.1 document, from the schemas that judge requests and type answers. */
export const createOpenApi = (operations: Known) => ({
  openapi: '3.1.0',
  info: { title: 'Crossquote', version: '1', description },
  servers: [{ url: '/', description: 'This gateway' }],
  paths: Object.fromEntries(
    restRoutes.map((route) => [
      route.path,
      { [route.method.toLowerCase()]: operationOf(route, operations) },
    ]),
  ),
  components: {
    schemas: componentSchemas(),
    responses: Object.fromEntries(
      [...statuses].map(([status, codes]) => [`Error${status}`, errorResponse(codes)]),
    ),
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description:
          'Optional: names the client, whose webhook is told of the request, and who pays where `subsidizeFees` asks for it.',
      },
    },
  },
})

const json = 'application/json'

function operationOf(route: RestRoute, operations: Known) {
  const { method, operation, summary, takesApiKey } = route
  const example = route.example(operations)
  return {
    operationId: operation,
    summary,
    description: route.description,
    ...(takesApiKey && { security: [{}, { apiKey: [] }] }),
    ...(method === 'GET'
      ? { parameters: parametersOf(inputSchemaOf(route.input), example ?? {}) }
      : {
          requestBody: {
            required: true,
            content: { [json]: { schema: { $ref: referenceTo(requestName(route)) }, example } },
          },
        }),
    responses: {
      200: { description: summary, content: { [json]: { schema: bodySchemaOf(route.body) } } },
      ...Object.fromEntries(
        [...statuses]
          .filter(([status]) => answers(route, status))
          .map(([status]) => [status, { $ref: `#/components/responses/Error${status}` }]),
      ),
    },
  }
}

/** Bodies have their place among the components, for who generates clients. */
const requestName = ({ operation }: RestRoute): string =>
  `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`

const parametersOf = (schema: JsonSchema, example: Readonly<Record<string, unknown>>) =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description: said, ...rest } = typeof property === 'boolean' ? {} : property
    return {
      name,
      in: 'query',
      description: said,
      required: schema.required?.includes(name) ?? false,
      schema: rest,
      ...(example[name] !== undefined && { example: example[name] }),
    }
  })

/** Whether a well-made request can be answered so: paths, methods and media types are settled here. */
function answers({ method, takesApiKey, mayNotFind }: RestRoute, status: number): boolean {
  if (status === 401 || status === 403) return takesApiKey
  if (status === 413 || status === 415) return method === 'POST'
  if (status === 404) return mayNotFind === true
  return ![405, 406].includes(status)
}

/** The codes of each status. */
const statuses = new Map(
  [...Map.groupBy(Object.keys(statusByCode) as ErrorCode[], (code) => statusByCode[code])].sort(
    ([one], [other]) => one - other,
  ),
)

const errorResponse = (codes: readonly ErrorCode[]) => ({
  description: codes.join(', '),
  content: {
    [json]: {
      schema: {
        allOf: [
          bodySchemaOf(errorBody),
          { type: 'object', properties: { errorCode: { enum: codes } } },
        ],
      },
    },
  },
})

const referenceTo = (id: string): string => `#/components/schemas/${id}`

function componentSchemas(): Readonly<Record<string, JsonSchema>> {
  const graphqlSchema = createSchema()
  const { schemas } = z.toJSONSchema(components, { uri: referenceTo })
  const requests = restRoutes
    .filter(({ method }) => method === 'POST')
    .map((route) => {
      const said = `What ${route.path} takes.`
      return [requestName(route), { description: said, ...inputSchemaOf(route.input) }] as const
    })
  const bodies = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...shape }]) => {
    return [id, withGraphqlTexts(graphqlSchema.getType(id), shape)] as const
  })
  return Object.fromEntries([...requests, ...bodies])
}

/** A list of components, or a component. */
function bodySchemaOf(body: z.core.$ZodType): JsonSchema {
  if (body instanceof z.ZodArray) return { type: 'array', items: bodySchemaOf(body.element) }
  const { id } = components.get(body) ?? {}
  if (id === undefined) throw new Error('A body is a component or a list of one')
  return { $ref: referenceTo(id) }
}
