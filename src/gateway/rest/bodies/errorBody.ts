import type { OutgoingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { AppError, type ErrorCode, statusByCode } from '#src/errors.ts'
import { json, type Reply } from '#src/gateway/http/reply.ts'
import type { Log } from '#src/log.ts'
import { component } from './bodySchema.ts'
import { addressText, hashText } from './texts.ts'

const codes = Object.keys(statusByCode) as ErrorCode[]

export const errorBody = component(
  'Error',
  z
    .object({
      message: z.string().describe('For people: which field or leg, and what would be right.'),
      errorCode: z.enum(codes).describe('For programs; it stays the same.'),
      statusCode: z.int().min(400).max(599).describe('The HTTP status.'),
      errorData: z
        .looseObject({
          issues: z
            .array(
              z.looseObject({
                path: z
                  .array(z.union([z.string(), z.int()]))
                  .describe('The field, from the outside in.'),
                message: z.string().describe('What is wrong with it.'),
              }),
            )
            .optional()
            .describe('Every bad field.'),
        })
        .optional()
        .describe('Facts, by code.'),
      requestId: hashText.optional().describe('The request that it is about, if any.'),
      failedCallData: z
        .looseObject({
          from: addressText.optional().describe('Who calls.'),
          to: addressText.optional().describe('What is called.'),
          data: z.string().optional().describe('The calldata.'),
          value: z.string().optional().describe('In wei.'),
        })
        .optional()
        .describe('The call that failed, if one did.'),
    })
    .describe('Why there is no answer.'),
)

/** What the caller is told of `error`: a bug is logged, and masked as UNKNOWN_ERROR. */
export function errorReply(
  error: unknown,
  log: Log,
  headersOf: (code: ErrorCode) => OutgoingHttpHeaders,
): Readonly<{ reply: Reply; code: ErrorCode }> {
  if (!(error instanceof AppError)) log.error({ err: error }, 'A request failed')
  const { code, message, data } =
    error instanceof AppError
      ? error
      : new AppError('UNKNOWN_ERROR', 'Something went wrong on our side')
  const { requestId, failedCallData, ...errorData } = data ?? {}
  const statusCode = statusByCode[code]
  const body = {
    message,
    errorCode: code,
    statusCode,
    errorData: Object.keys(errorData).length > 0 ? errorData : undefined,
    requestId,
    failedCallData,
  }
  return { reply: json(statusCode, body, headersOf(code)), code }
}
