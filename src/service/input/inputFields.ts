import { z } from 'zod'
import type { ErrorCode } from '#src/core/errors.ts'
import { toAccount } from '#src/core/units/account.ts'
import { type Account, type Address, toAddress } from '#src/core/units/address.ts'
import { type Amount, parseAmount } from '#src/core/units/amount.ts'
import { type ChainId, toChainId } from '#src/core/units/chainId.ts'
import { type TxId, toTxId } from '#src/core/units/txId.ts'
import { parseRequestCursor } from '#src/requests/requestList.ts'

/** Refuses a field with an error code. The answer has that code if it is the only bad field: docs/protocol.md §6. */
export const refuse = (context: z.RefinementCtx, message: string, code: ErrorCode): never => {
  context.addIssue({ code: 'custom', message, params: { code } })
  return z.NEVER
}

/** A string. `message` is the error for a value of any other type. */
export const textField = (message: string) =>
  z.string({ error: ({ input }) => (input === undefined ? 'Required' : message) })

/** An address. The `meta` of a field describes its transformation in the OpenAPI document. */
export const addressField = textField('An address must be a string')
  .transform((text, context): Address => {
    try {
      return toAddress(text)
    } catch (error) {
      return refuse(context, (error as Error).message, 'INVALID_ADDRESS')
    }
  })
  .meta({ pattern: '^0x[a-fA-F0-9]{40}$' })

/** An account, or the contract or mint of a currency, in the form of either virtual machine. */
export const accountField = textField('An address must be a string')
  .transform((text, context): Account => {
    try {
      return toAccount(text)
    } catch (error) {
      const { message } = error as Error
      const problem = text.startsWith('0x') ? message : wrongForm
      return refuse(context, problem, 'INVALID_ADDRESS')
    }
  })
  .meta({ pattern: '^(0x[a-fA-F0-9]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})$' })

const wrongForm =
  'An address is 0x and 40 hexadecimal digits; on an svm chain it is 32 bytes in base58'

/** A request id or transaction hash: 32 bytes. Any case is accepted and converted to lower case. */
export const hashField = textField('A value of 32 bytes must be a string')
  .regex(/^0x[a-fA-F0-9]{64}$/, 'Must be 0x and 64 hexadecimal digits')
  .transform((text) => text.toLowerCase() as `0x${string}`)

/** A transaction hash, or on an svm chain the first signature of a transaction. */
export const txIdField = textField('A transaction hash must be a string')
  .transform((text, context): TxId => {
    const isHex = text.startsWith('0x')
    try {
      return toTxId(isHex ? text.toLowerCase() : text)
    } catch {
      const other = isHex ? '' : '; on an svm chain it is 64 bytes in base58'
      return refuse(context, `Must be 0x and 64 hexadecimal digits${other}`, 'INVALID_REQUEST')
    }
  })
  .meta({ pattern: '^(0x[a-fA-F0-9]{64}|[1-9A-HJ-NP-Za-km-z]{64,88})$' })

export const amountField = textField(
  'An amount must be a string of decimal digits: many programs round numbers above 2^53',
)
  .transform((text, context): Amount => {
    try {
      return parseAmount(text)
    } catch (error) {
      return refuse(context, (error as Error).message, 'INVALID_REQUEST')
    }
  })
  .meta({ pattern: '^[0-9]+$', maxLength: 78 })

/** The digits of a number of at most 256 bits that is written as wallets do in JSON-RPC. */
export const hexQuantity = /^0x[0-9a-fA-F]{1,64}$/

/** Wei as decimal digits, or as a hexadecimal quantity such as "0x0", which wallets use. */
export const weiField = textField(
  'An amount must be a string of decimal digits: many programs round numbers above 2^53',
)
  .transform((text) => (hexQuantity.test(text) ? BigInt(text).toString() : text))
  .pipe(amountField)
  .meta({ pattern: '^([0-9]+|0x[0-9a-fA-F]{1,64})$', maxLength: 78 })

/** An integer from 0 to 2^53 − 1, as a JSON number or as a hexadecimal quantity such as "0x0", which wallets use. */
export const quantityField = z.union(
  [
    z.int().min(0),
    z
      .string()
      .regex(/^0x[0-9a-fA-F]{1,14}$/)
      .transform(Number)
      .pipe(z.int()),
  ],
  'Must be an integer from 0 to 2^53 − 1, or 0x and its hexadecimal digits',
)

const badChainId = 'A chain id must be a positive integer'

export const chainIdField = z
  .int({ error: ({ input }) => (input === undefined ? 'Required' : badChainId) })
  .positive(badChainId)
  .transform((value): ChainId => toChainId(value))

/** A list whose length is checked before its items, so that a long list costs nothing to refuse. */
export const boundedList = <Item extends z.ZodType>(
  item: Item,
  maxItems: number,
  message: string,
) => z.array(z.custom<z.input<Item>>()).max(maxItems, message).pipe(z.array(item))

/** Whether a text is the cursor of some request. */
export const isRequestCursor = (text: string): boolean => parseRequestCursor(text) !== undefined

/** Number of UTC days of the solver's books. */
export const bookDaysField = z.int('Must be an integer').min(1, 'At least 1').max(90, 'At most 90')
