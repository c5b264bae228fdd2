import { AppError } from '#src/errors.ts'

/** A failure that is one origin's: named by its place among the order's origins, as they were given. */
export const namingOrigin = (place: number, { code, message, data }: AppError): AppError =>
  new AppError(code, `origins.${place}: ${message}`, { ...data, field: `origins.${place}` })
