import { z } from 'zod'
import type { ErrorCode } from '#src/errors.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'

/** For arguments: JSON values as the lenient scalars pass them on. */
export const chainIdArgument = z
  .int('A chain id is a positive integer')
  .positive('A chain id is a positive integer')
  .transform((value): ChainId => toChainId(value))

export const addressArgument = z
  .string('An address is a string')
  .transform((text, context): Address => {
    try {
      return toAddress(text)
    } catch (error) {
      context.addIssue({
        code: 'custom',
        message: (error as Error).message,
        params: { code: 'INVALID_ADDRESS' satisfies ErrorCode },
      })
      return z.NEVER
    }
  })
