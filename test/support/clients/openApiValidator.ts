import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>

type Operation = Readonly<{
  operationId: string
  tags: readonly string[]
  parameters?: readonly Readonly<{
    name: string
    required: boolean
    schema: Schema
    example?: unknown
  }>[]
  requestBody?: Readonly<{ content: Readonly<Record<string, { example: unknown }>> }>
  responses: Readonly<Record<string, unknown>>
}>

export type OpenApiDocument = Readonly<{
  openapi: string
  tags: readonly Readonly<{ name: string }>[]
  paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  components: Readonly<{ schemas: Readonly<Record<string, Schema>>; responses: Schema }>
}>

/** Validates values against an OpenAPI 3.1 document. It is strict: keywords unknown to ajv throw. */
export function createOpenApiValidator(document: OpenApiDocument) {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictRequired: true })
  for (const key of Object.keys(document)) ajv.addKeyword(key)
  ajv.addSchema(document, 'openapi.json')

  /** The errors of `value` by the schema at a JSON pointer. Empty if it is valid. */
  const faults = (pointer: string, value: unknown): readonly string[] => {
    const validate = ajv.getSchema(`openapi.json#${pointer}`)
    if (validate === undefined) throw new Error(`The document has nothing at ${pointer}`)
    validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

  const at = (path: string, method: string) =>
    `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`
  const json = 'content/application~1json/schema'

  return {
    requestFaults: (path: string, value: unknown) =>
      faults(`${at(path, 'POST')}/requestBody/${json}`, value),
    answerFaults: (path: string, method: string, value: unknown) =>
      faults(`${at(path, method)}/responses/200/${json}`, value),
    errorFaults: (status: number, value: unknown) =>
      faults(`/components/responses/Error${status}/${json}`, value),
  }
}
