import type { z } from 'zod'
import type { Context } from '#src/gateway/requestContext.ts'
import type { Operations } from '#src/operations/operations.ts'

/** One path of the REST face: what it takes, what it gives, and what the document says of it. */
export type RestRoute<
  Input extends z.ZodObject = z.ZodObject,
  Body extends z.ZodType = z.ZodType,
> = Readonly<{
  path: string
  /** `input` comes as the query of a GET, as the JSON body of a POST. */
  method: 'GET' | 'POST'
  /** Names it in metrics and in the document. */
  operation: string
  /** For people, in a line. */
  summary: string
  description: string
  input: Input
  body: Body
  /** Whether it heeds `x-api-key`. */
  takesApiKey: boolean
  /** Whether what it is asked about may not be there. */
  mayNotFind?: boolean
  /** An input that works on the chains that this gateway serves; ids of requests stand for any. */
  example: (
    operations: Pick<Operations, 'chains' | 'currencies'>,
  ) => Readonly<Record<string, unknown>> | undefined
  /** @throws AppError, or whatever is masked. */
  answer(input: z.output<Input>, context: Context): z.input<Body> | Promise<z.input<Body>>
}>

/** `answer` is a method, so that a route of one input fits into a list of routes of any. */
export const restRoute = <Input extends z.ZodObject, Body extends z.ZodType>(
  route: RestRoute<Input, Body>,
): RestRoute => route
