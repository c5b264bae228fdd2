import { z } from 'zod'
import type { ErrorCode } from '#src/errors.ts'
import { type Address, toAddress } from '#src/units/address.ts'
import { type Amount, parseAmount } from '#src/units/amount.ts'
import { type ChainId, toChainId } from '#src/units/chainId.ts'

/** Fails a field with the code that PROTOCOL names for it: the answer keeps it if nothing else fails. */
export const refuse = (context: z.RefinementCtx, message: string, code: ErrorCode): never => {
  context.addIssue({ code: 'custom', message, params: { code } })
  return z.NEVER
}

/** Text, or `message` for a value of any other type. */
export const textField = (message: string) =>
  z.string({ error: ({ input }) => (input === undefined ? 'Required' : message) })

/** The `meta` of a field tells the OpenAPI document what its transformation judges. */
export const addressField = textField('An address is a string')
  .transform((text, context): Address => {
    try {
      return toAddress(text)
    } catch (error) {
      return refuse(context, (error as Error).message, 'INVALID_ADDRESS')
    }
  })
  .meta({ pattern: '^0x[a-fA-F0-9]{40}$' })

/** Ids of requests and hashes of transactions: 32 bytes in any case, given on in lower case. */
export const hashField = textField('32 bytes are a string')
  .regex(/^0x[a-fA-F0-9]{64}$/, '32 bytes are 0x and 64 hexadecimal digits')
  .transform((text) => text.toLowerCase() as `0x${string}`)

export const amountField = textField(
  'An amount is a string of decimal digits: many programs round numbers above 2^53',
)
  .transform((text, context): Amount => {
    try {
      return parseAmount(text)
    } catch (error) {
      return refuse(context, (error as Error).message, 'INVALID_REQUEST')
    }
  })
  .meta({ pattern: '^[0-9]+$', maxLength: 78 })

const noChainId = 'A chain id is a positive integer'

export const chainIdField = z
  .int({ error: ({ input }) => (input === undefined ? 'Required' : noChainId) })
  .positive(noChainId)
  .transform((value): ChainId => toChainId(value))

/** A list whose length is judged before its items are: a long one costs no more than its refusal. */
export const boundedList = <Item extends z.ZodType>(item: Item, most: number, message: string) =>
  z.array(z.custom<z.input<Item>>()).max(most, message).pipe(z.array(item))
