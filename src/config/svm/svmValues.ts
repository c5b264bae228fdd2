import { parsedBy } from '#src/config/values.ts'
import { toBlockhash } from '#src/core/units/svm/blockhash.ts'
import { toPubkey } from '#src/core/units/svm/pubkey.ts'

/** A Solana account in base58. */
export const pubkey = parsedBy(toPubkey)

/** The hash of a Solana block in base58. */
export const blockhash = parsedBy(toBlockhash)
