import type { AppError, ErrorCode, ErrorData } from '#src/core/errors.ts'
import { FieldError, type FieldPath } from '#src/service/input/fieldError.ts'

/** One bad field of an input. */
export type FieldIssue = Readonly<{ path: FieldPath; message: string; code: ErrorCode }>

/** The data of an error as callers receive it. `issues` names every field at fault, even a single one. */
export function dataOf(error: AppError): ErrorData {
  const issues = issuesOf(error)
  return { ...error.data, ...(issues.length > 0 && { issues }) }
}

/** Several issues are in `data.issues`. A single one is in the error itself or in `data.field`. */
export function issuesOf(error: AppError): readonly FieldIssue[] {
  const { code, message, data } = error
  const several = data?.['issues']
  if (Array.isArray(several))
    return (several as SentIssue[]).map((issue) => ({
      path: issue.path,
      message: issue.message,
      code: issue.code ?? code,
    }))
  if (error instanceof FieldError) return [{ path: error.place, message: error.problem, code }]
  const field = data?.['field']
  return typeof field === 'string' ? [{ path: pathOf(field), message, code }] : []
}

type SentIssue = Readonly<{ path: FieldPath; message: string; code?: ErrorCode }>

const pathOf = (field: string): FieldPath =>
  field.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
