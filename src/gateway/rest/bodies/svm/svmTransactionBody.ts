import { z } from 'zod'
import { addressText, component } from '#src/gateway/rest/bodies/bodySchema.ts'
import type { QuotedSvmItem } from '#src/service/quotedSteps.ts'

const accountMetaBody = component(
  'SvmAccountMeta',
  z.object({ pubkey: addressText, isSigner: z.boolean(), isWritable: z.boolean() }),
)

const instructionBody = component(
  'SvmInstruction',
  z.object({
    programId: addressText,
    keys: z.array(accountMetaBody),
    data: z.string().regex(/^([0-9a-f]{2})*$/),
  }),
)

/** @source the official SDK's adapter of Solana wallets, which reads no other field */
export const svmTransactionBody = component(
  'SvmTransaction',
  z.object({
    chainId: z.int().positive(),
    instructions: z.array(instructionBody),
    addressLookupTableAddresses: z.array(addressText),
  }),
)

export const encodeSvmTransaction = ({
  chainId,
  instructions,
}: QuotedSvmItem): z.input<typeof svmTransactionBody> => ({
  chainId,
  instructions: instructions.map(({ keys, ...each }) => ({ ...each, keys: [...keys] })),
  addressLookupTableAddresses: [],
})
