import { z } from 'zod'
import type { ChainSummary } from '#src/service/chains.ts'
import { UnsupportedChainError } from '#src/service/input/fieldError.ts'
import { chainIdField, isRequestCursor, textField } from '#src/service/input/inputFields.ts'
import type { Service } from '#src/service/service.ts'

/** The text of one query parameter. A repeated parameter arrives as a list, and is refused. */
export const parameterText = () => textField('Give this parameter once')

/** A chain id as decimal digits. */
export const chainIdText = parameterText()
  .transform((text) => (/^[0-9]{1,16}$/.test(text) ? Number(text) : Number.NaN))
  .pipe(chainIdField)
  .meta({ pattern: '^[0-9]{1,16}$' })

/** A chain id in a query, which the OpenAPI document describes as an integer. */
export const chainIdParameter = chainIdText.meta({ type: 'integer', minimum: 1 })

/** Every GET accepts it. */
export const referrerParameter = parameterText()
  .max(128, 'At most 128 characters')
  .optional()
  .describe('Name of the frontend, for logs. At most 128 characters.')

/** `true` or `false` in a query, which the OpenAPI document describes as a boolean. */
export const booleanParameter = () =>
  z
    .enum(['true', 'false'], 'Must be true or false')
    .transform((text) => text === 'true')
    .optional()
    .meta({ type: 'boolean' })

/** Maximum number of results of a list. */
export const limitParameter = (defaultLimit: number, maxLimit = 100) =>
  parameterText()
    .transform((text) => (/^-?[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN))
    .pipe(z.int('Must be an integer').min(1, 'At least 1').max(maxLimit, `At most ${maxLimit}`))
    .optional()
    .describe(`Maximum number of results, 1 to ${maxLimit}. Default: ${defaultLimit}.`)
    .meta({ type: 'integer', minimum: 1, maximum: maxLimit })

/** A time as whole seconds. */
export const secondsParameter = parameterText()
  .transform((text) => (/^[0-9]{1,12}$/.test(text) ? Number(text) : Number.NaN))
  .pipe(z.int('Must be a whole number of seconds since 1970'))
  .optional()
  .meta({ type: 'integer', minimum: 0 })

/** Cursor of a page of requests. */
export const continuationParameter = parameterText()
  .max(512, 'At most 512 characters')
  .refine(isRequestCursor, 'Not the `continuation` of a page')
  .optional()
  .describe(
    'The `continuation` of the previous page. Send it with the same filters. At most 512 characters.',
  )

/** The chain that the parameter `chainId` names. @throws AppError UNSUPPORTED_CHAIN */
export function requireChain(operations: Service, chainId: number): ChainSummary {
  const chain = operations.chain(chainId)
  if (chain === undefined)
    throw new UnsupportedChainError(['chainId'], chainId, operations.chains())
  return chain
}
