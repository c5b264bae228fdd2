import { z } from 'zod'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'
import type { SvmTransactionData } from '#src/protocol/svm/transactionData.ts'
import { chainId, hex } from '#src/requests/state/stateJson.ts'

const pubkey = z.string().transform(toPubkey)

/** The data of a step, as it is stored. */
export const svmTransactionData: z.ZodType<SvmTransactionData> = z.object({
  chainId,
  payer: pubkey,
  instructions: z.array(
    z.object({
      programId: pubkey,
      keys: z.array(z.object({ pubkey, isSigner: z.boolean(), isWritable: z.boolean() })),
      data: hex,
    }),
  ),
})
