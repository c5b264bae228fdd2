import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { toSvmSignature } from '#src/core/units/svm/signature.ts'
import { decodeDepositoryCall } from '#src/protocol/svm/depository/decodeDepositoryCall.ts'
import type { ReadCost } from '#src/solver/books/books.ts'

/**
 * Reads the costs of transactions on a Solana chain: the fee, and the rent of the marks and token accounts that they
 * made, which stay. The rent of a deposit's record comes back.
 */
export const createSvmCosts =
  (client: Pick<SvmClient, 'getTransaction'>, program: Pubkey): ReadCost =>
  async ({ mined, spends }) => {
    const found = mined && (await client.getTransaction(toSvmSignature(mined.hash), 'finalized'))
    if (found === undefined) return undefined
    const marks = found.instructions.flatMap((each) => {
      const call = decodeDepositoryCall(program, each)
      return call?.kind === 'markFilled' ? [call.marker] : []
    })
    const staying = new Set<Pubkey>([...marks, ...found.tokens.keys()])
    const rent = [...found.lamports]
      .filter(([account, { before }]) => before === 0n && staying.has(account))
      .reduce((sum, [, { after }]) => sum + after, 0n)
    const taken = new Map(spends.map(({ currency, amount }) => [currency, BigInt(amount)]))
    return { gas: found.fee + rent, taken }
  }
