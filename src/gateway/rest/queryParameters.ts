import { z } from 'zod'
import type { ChainSummary } from '#src/service/chains.ts'
import { UnsupportedChainError } from '#src/service/input/fieldError.ts'
import { chainIdField, textField } from '#src/service/input/inputFields.ts'
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
export const limitParameter = (defaultLimit: number) =>
  parameterText()
    .transform((text) => (/^-?[0-9]{1,15}$/.test(text) ? Number(text) : Number.NaN))
    .pipe(z.int('Must be an integer').min(1, 'At least 1').max(100, 'At most 100'))
    .optional()
    .describe(`Maximum number of results, 1 to 100. Default: ${defaultLimit}.`)
    .meta({ type: 'integer', minimum: 1, maximum: 100 })

/** The chain that the parameter `chainId` names. @throws AppError UNSUPPORTED_CHAIN */
export function requireChain(operations: Service, chainId: number): ChainSummary {
  const chain = operations.chain(chainId)
  if (chain === undefined)
    throw new UnsupportedChainError(['chainId'], chainId, operations.chains())
  return chain
}
