import { type GraphQLNamedType, isObjectType } from 'graphql'
import { z } from 'zod'
import { type ErrorCode, statusByCode } from '#src/core/errors.ts'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import { createSchema } from '#src/gateway/graphql/schema.ts'
import { components } from '#src/gateway/rest/bodies/bodySchema.ts'
import { errorBody } from '#src/gateway/rest/bodies/errorBody.ts'
import type { RestRoute } from '#src/gateway/rest/restRoute.ts'
import { restRoutes } from '#src/gateway/rest/restRoutes.ts'

type JsonSchema = z.core.JSONSchema.JSONSchema

const description = `Prices and quotes for swaps and transfers between any two currencies, on one chain or across two. /graphql offers the same operations.

- **Amounts** are strings of decimal digits in the smallest unit of the currency (for example wei).
- **US dollars** are decimal strings with six decimals. A zero amount is worth "0".
- **Unknown values are absent**: an optional field without a value is left out, but null in /requests/v3. In a request \`null\` counts as absent.
- **Rate limits**: every answer that is not for shared caches has \`ratelimit-limit\`, \`ratelimit-remaining\` and \`ratelimit-reset\` (seconds). RATE_LIMITED (429) and OVERLOADED (503) have \`retry-after\`.
- **Errors** have the schema \`Error\`: \`errorCode\` for programs, \`message\` for people. New codes may be added.`

/** The REST API as an OpenAPI 3.1 document, generated from the schemas that validate requests and type answers. */
export const createOpenApi = (operations: Catalogue) => ({
  openapi: '3.1.0',
  info: { title: 'Crossquote', version: '1', description },
  servers: [{ url: '/', description: 'This gateway' }],
  tags,
  paths: Object.fromEntries(
    restRoutes.map((route) => [
      route.path,
      { [route.method.toLowerCase()]: operationOf(route, operations) },
    ]),
  ),
  components: {
    schemas: componentSchemas(),
    responses: Object.fromEntries(
      [...statuses].map(([status, codes]) => [`Error${status}`, errorResponse(status, codes)]),
    ),
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description:
          'Optional. Identifies the client: its webhook receives the status of the request, and it pays the fees if `subsidizeFees` is set.',
      },
    },
  },
})

const json = 'application/json'

function operationOf(route: RestRoute, operations: Catalogue) {
  const { method, operation, summary, takesApiKey, queryFields = [] } = route
  const example = route.example(operations)
  return {
    operationId: operation,
    tags: [tagOf(route.path)],
    summary,
    description: route.description,
    ...(takesApiKey && { security: [{}, { apiKey: [] }] }),
    ...(method === 'GET'
      ? { parameters: parametersOf(inputSchemaOf(route.input), example ?? {}) }
      : {
          ...(queryFields.length > 0 && {
            parameters: parametersOf(inputSchemaOf(route.input.pick(masks(queryFields))), {
              ...example,
            }),
          }),
          requestBody: {
            required: true,
            content: {
              [json]: {
                schema: { $ref: referenceTo(requestName(route)) },
                example: example && without(example, queryFields),
              },
            },
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

const masks = (fields: readonly string[]): Record<string, true> =>
  Object.fromEntries(fields.map((field) => [field, true]))

const without = (example: Readonly<Record<string, unknown>>, fields: readonly string[]) =>
  Object.fromEntries(Object.entries(example).filter(([name]) => !fields.includes(name)))

/** Request bodies are named components, because client generators need names. */
const requestName = ({ operation }: RestRoute): string =>
  `${operation.charAt(0).toUpperCase()}${operation.slice(1)}Request`

const parametersOf = (schema: JsonSchema, example: Readonly<Record<string, unknown>>) =>
  Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { description: text, ...rest } = typeof property === 'boolean' ? {} : property
    return {
      name,
      in: 'query',
      description: text,
      required: schema.required?.includes(name) ?? false,
      schema: rest,
      ...(example[name] !== undefined && { example: example[name] }),
    }
  })

/** Whether a request with a valid path, method and media type can receive this status. */
function answers({ method, takesApiKey, mayNotFind }: RestRoute, status: number): boolean {
  if (status === 401 || status === 403) return takesApiKey
  if (status === 413 || status === 415) return method === 'POST'
  if (status === 404) return mayNotFind === true
  return ![405, 406].includes(status)
}

/** The error codes of each HTTP status, by status. */
const statuses = new Map(
  [...Map.groupBy(Object.keys(statusByCode) as ErrorCode[], (code) => statusByCode[code])].sort(
    ([one], [other]) => one - other,
  ),
)

const retryAfter = {
  'retry-after': {
    description: 'Seconds until the request may succeed. Sent with RATE_LIMITED and OVERLOADED.',
    schema: { type: 'integer', minimum: 1 },
  },
}

const errorResponse = (status: number, codes: readonly ErrorCode[]) => ({
  description: codes.join(', '),
  ...((status === 429 || status === 503) && { headers: retryAfter }),
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
      const text = `Request body of ${route.path}.`
      const { queryFields } = route
      const input = queryFields ? route.input.omit(masks(queryFields)) : route.input
      return [requestName(route), { description: text, ...inputSchemaOf(input) }] as const
    })
  const bodies = Object.entries(schemas).map(([id, { $schema: _, $id: __, ...shape }]) => {
    return [id, withGraphqlDescriptions(graphqlSchema.getType(id), shape)] as const
  })
  return Object.fromEntries([...requests, ...bodies])
}

/** A reference to a component, or a list of one. */
function bodySchemaOf(body: z.core.$ZodType): JsonSchema {
  if (body instanceof z.ZodArray) return { type: 'array', items: bodySchemaOf(body.element) }
  const { id } = components.get(body) ?? {}
  if (id === undefined) throw new Error('A body must be a component or a list of one')
  return { $ref: referenceTo(id) }
}

/** Fills in missing descriptions of a JSON schema and its properties from the GraphQL type of the same name. */
function withGraphqlDescriptions(
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

/** The input side of a zod schema, which clients send, as JSON Schema (draft 2020-12). */
function inputSchemaOf(schema: z.ZodType): JsonSchema {
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

/** The groups of the REST API in its documentation, in their order, with the first parts of their paths. */
const groups = [
  {
    name: 'Prices and quotes',
    description: 'What a swap costs, and the steps that execute it.',
    starts: ['/price', '/quote/', '/execute/swap/'],
  },
  {
    name: 'Execution',
    description: 'Signatures and calls that the gateway sends for users.',
    starts: ['/execute'],
  },
  {
    name: 'Requests',
    description: 'The progress and the history of swaps, and the transactions that belong to them.',
    starts: ['/intents/', '/requests/', '/transactions/'],
  },
  {
    name: 'Currencies and chains',
    description: 'What can be swapped, where, and in what state the chains are.',
    starts: ['/currencies/', '/chains', '/config/', '/swap-sources'],
  },
  {
    name: 'Operators',
    description: 'What the solver holds and earns. For API keys with the right `operator`.',
    starts: ['/operator/'],
  },
] as const

/** The tags of the OpenAPI document. */
const tags = groups.map(({ name, description }) => ({ name, description }))

/** The name of the group of a path. */
function tagOf(path: string): string {
  const group = groups.find(({ starts }) => starts.some((start) => path.startsWith(start)))
  if (group === undefined) throw new Error(`No group of the REST documentation has ${path}`)
  return group.name
}
