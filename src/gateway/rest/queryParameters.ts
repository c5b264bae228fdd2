import { chainIdField, textField } from '#src/operations/input/inputFields.ts'

export const chainIdText = textField('Give it once')
  .transform((text) => (/^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN))
  .pipe(chainIdField)
  .meta({ pattern: '^[0-9]{1,16}$' })

/** A chain id as a query writes it; the document calls it the integer that it is. */
export const chainIdParameter = chainIdText.meta({ type: 'integer', minimum: 1 })

/** What every GET takes beside its own: clients name themselves so. */
export const referrerParameter = textField('Give it once')
  .max(128, 'At most 128 characters')
  .optional()
  .describe('Names the frontend in records; at most 128 characters.')
