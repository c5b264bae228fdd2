import { isDeepStrictEqual } from 'node:util'
import { askForAgreement, type Vote } from '#src/chains/rpc/failover.ts'
import type { SvmEndpoint } from './svmClient.ts'
import type { SvmTransaction } from './svmTransaction.ts'

/**
 * Whether `needed` endpoints have the same transaction at `finalized`, in all that it did. For amounts on which one
 * endpoint must not be trusted. Never throws: an endpoint that fails or does not have it has no vote.
 */
export const askForTransaction = (
  endpoints: readonly SvmEndpoint[],
  needed: number,
  transaction: SvmTransaction,
): ReturnType<typeof askForAgreement> =>
  askForAgreement(endpoints, needed, async (endpoint): Promise<Vote> => {
    const found = await endpoint.getTransaction(transaction.signature, 'finalized')
    if (found === undefined) return 'notYet'
    return isDeepStrictEqual(comparable(found), comparable(transaction)) ? 'yes' : 'no'
  })

/** Each node estimates the time of a block, and words errors, on its own. */
const comparable = ({ blockTime: _, error, ...transaction }: SvmTransaction) => ({
  ...transaction,
  hasFailed: error !== undefined,
})
