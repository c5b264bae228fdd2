import type { AppError, ErrorCode, ErrorData } from '#src/core/errors.ts'
import { builder } from '#src/gateway/graphql/builder.ts'
import { type FieldIssue, issuesOf } from '#src/gateway/http/fieldIssues.ts'

/** An error as data, so that other inputs of the same query still get answers. */
export type Failure = Readonly<{
  code: ErrorCode
  message: string
  issues: readonly FieldIssue[]
  data: ErrorData | undefined
}>

const IssueType = builder.objectRef<FieldIssue>('Issue').implement({
  description: 'A field of the input that causes a failure.',
  fields: (t) => ({
    path: t.field({
      type: ['String'],
      description:
        'Path of the field, from the root of the input: names of fields, and indexes of lists in decimal digits.',
      resolve: ({ path }) => path.map(String),
    }),
    message: t.exposeString('message', {
      description: 'The problem with the field, in one English phrase.',
    }),
    code: t.exposeString('code', {
      description:
        'Error code of the field, such as UNSUPPORTED_CHAIN. An open set, see `Failure`.',
    }),
  }),
})

export const FailureType = builder.objectRef<Failure>('Failure').implement({
  description:
    'The reason why an input has no answer: the error of a query with this input alone, as data.',
  fields: (t) => ({
    code: t.exposeString('code', {
      description:
        'Stable error code for programs, such as NO_SWAP_ROUTES_FOUND. An open set: later versions may add codes, so treat an unknown one like UNKNOWN_ERROR. `errorCode` of the schema `Error` in /openapi.json lists those of this version.',
    }),
    message: t.exposeString('message', { description: 'The reason for people, in English.' }),
    issues: t.expose('issues', {
      type: [IssueType],
      description: 'The fields that cause the failure; empty if no single field does.',
    }),
    data: t.expose('data', {
      type: 'JsonObject',
      nullable: true,
      description:
        'The values in the message, for programs, as in `extensions` of an error; null without any. `maxAmount` is the largest amount that works, in the smallest unit of `maxAmountCurrency` (`chainId` and `address`), and `minAmount` the smallest one, of `minAmountCurrency`.',
    }),
  }),
})

/** An expected error as data. */
export function toFailure(error: AppError): Failure {
  const { code, message } = error
  const { issues: _, ...data } = error.data ?? {}
  const hasData = Object.keys(data).length > 0
  return { code, message, issues: issuesOf(error), data: hasData ? data : undefined }
}
