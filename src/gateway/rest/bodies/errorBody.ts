import type { OutgoingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { Log } from '#src/config/log.ts'
import { type AppError, type ErrorCode, statusByCode } from '#src/core/errors.ts'
import { dataOf } from '#src/gateway/http/fieldIssues.ts'
import { maskError } from '#src/gateway/http/maskError.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import { addressText, component, hashText } from './bodySchema.ts'

const codes = Object.keys(statusByCode) as ErrorCode[]

export const errorBody = component(
  'Error',
  z
    .object({
      message: z
        .string()
        .describe('For people: the field or leg at fault, and the allowed values.'),
      error: z
        .string()
        .optional()
        .describe('The message again, in answers of /execute and /currencies/token/price/v2 only.'),
      errorCode: z.enum(codes).describe('For programs. Codes are stable; new ones may be added.'),
      statusCode: z.int().min(400).max(599).describe('HTTP status.'),
      errorData: z
        .looseObject({
          issues: z
            .array(
              z.looseObject({
                path: z
                  .array(z.union([z.string(), z.int()]))
                  .describe('Path of the field: keys and list indexes from the root.'),
                message: z.string().describe('The problem with the field.'),
                code: z.enum(codes).describe('Error code of the field, such as UNSUPPORTED_CHAIN.'),
              }),
            )
            .optional()
            .describe('One entry for each bad field.'),
        })
        .optional()
        .describe('Facts for programs. Their keys depend on the code.'),
      requestId: hashText.optional().describe('Id of the request at fault, if any.'),
      failedCallData: z
        .looseObject({
          from: addressText.optional().describe('The caller.'),
          to: addressText.optional().describe('The called contract.'),
          data: z.string().optional().describe('Calldata.'),
          value: z.string().optional().describe('Value, in wei.'),
        })
        .optional()
        .describe('The destination call that fails, if any.'),
    })
    .describe('An error.'),
)

/** Encodes an error. An unexpected one is logged and becomes UNKNOWN_ERROR. */
export function errorReply(
  error: unknown,
  log: Log,
  {
    headersOf,
    namesError,
  }: Readonly<{
    headersOf: (error: AppError) => OutgoingHttpHeaders
    /** Whether the body has the message as `error` too. */
    namesError?: boolean
  }>,
): Readonly<{ reply: Reply; code: ErrorCode }> {
  const failure = maskError(error, log, 'A REST request failed')
  const { code, message } = failure
  const { requestId, failedCallData, ...errorData } = dataOf(failure)
  const statusCode = statusByCode[code]
  const body = {
    message,
    error: namesError === true ? message : undefined,
    errorCode: code,
    statusCode,
    errorData: Object.keys(errorData).length > 0 ? errorData : undefined,
    requestId,
    failedCallData,
  }
  return { reply: json(statusCode, body, headersOf(failure)), code }
}
