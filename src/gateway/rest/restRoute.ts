import type { z } from 'zod'
import type { Catalogue } from '#src/gateway/exampleOrders.ts'
import type { RequestContext } from '#src/gateway/requestContext.ts'

/** One path of the REST API: its input, its answer, and its texts in the OpenAPI document. */
export type RestRoute<
  Input extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> = Readonly<{
  path: string
  /** `input` is the query of a GET, or the JSON body of a POST. */
  method: 'GET' | 'POST'
  /** Fields of a POST's input that are in the query instead of the body. */
  queryFields?: readonly string[]
  /** Its name in metrics and in the OpenAPI document. */
  operation: string
  /** One line. */
  summary: string
  description: string
  input: Input
  body: Body
  /** Whether it uses the `x-api-key` header. */
  takesApiKey: boolean
  /** Whether it can answer 404 UNKNOWN_REQUEST. */
  mayNotFind?: boolean
  /** Whether its error bodies have the message as `error` too, which clients of this path read. */
  namesError?: boolean
  /** Reads the name of the frontend, for logs, if it is not the field `referrer`. */
  referrerOf?(input: z.output<Input>): string | null | undefined
  /** Units of the client's rate limit that it costs, by its input. Default: 1. */
  units?(input: z.output<Input>): number
  /** Seconds for which clients may reuse an answer that changes rarely. Only for GETs. */
  maxAgeSeconds?: number
  /** A valid input for the configured chains. Request ids in it do not exist. */
  example: (operations: Catalogue) => Readonly<Record<string, unknown>> | undefined
  /** @throws AppError; any other error is masked as UNKNOWN_ERROR. */
  answer(input: z.output<Input>, context: RequestContext): z.input<Body> | Promise<z.input<Body>>
}>

/**
 * Checks the types of a route. `answer` is declared as a method so that routes of different inputs fit into one list.
 */
export const restRoute = <Input extends z.ZodObject, Body extends z.ZodType>(
  route: RestRoute<Input, Body>,
): RestRoute => route
