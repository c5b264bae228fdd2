import { z } from 'zod'
import { hashField, textField } from './inputFields.ts'

/** Maximum size of a signature in bytes. A contract wallet's signature may hold those of several owners. */
const maxSignatureBytes = 4_096

export const signedKinds = ['eip3009', 'permit2', 'eip2612'] as const

/** The fields of `executePermit`. */
export const permitFields = {
  requestId: hashField.describe('Id of the request that the signature is for.'),
  kind: z
    .enum(signedKinds, 'Must be eip3009, permit2 or eip2612')
    .describe('Kind of the signed message, as in the step.'),
  signature: textField('A signature must be a string')
    .max(2 + 2 * maxSignatureBytes, `At most ${maxSignatureBytes} bytes`)
    .regex(/^0x([0-9a-fA-F]{2})+$/, 'Must be 0x and an even number of hexadecimal digits')
    .transform((text): `0x${string}` => `0x${text.slice(2).toLowerCase()}`)
    .describe(
      'Signature of the step’s typed data: 65 bytes, or 64 (EIP-2098); for a contract wallet up to 4,096 bytes.',
    ),
}

/** A valid input of `executePermit`. */
export type PermitInput = z.output<z.ZodObject<typeof permitFields>>
