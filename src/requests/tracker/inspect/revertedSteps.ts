import type { Hash, Hex } from 'viem'
import type { ChainTransaction } from '#src/chains/read/readTransaction.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { StoredRequest } from '#src/requests/state/requestState.ts'
import { isItem } from '#src/requests/tracker/read/stepTransaction.ts'

/** A step of a request whose transaction reverted. */
export type RevertedStep = Readonly<{ requestId: Hash; step: number; item: number }>

/** The order id is among these first words of a deposit's calldata. */
const searchedWords = 8

/**
 * The deposits and approvals that the reverted transaction was sent for, among the given requests and those whose order
 * id is in its calldata. The transaction must equal the quoted item and its sender, as anybody can hint a transaction.
 * A user's own swap is not included, as its revert ends the request.
 */
export async function revertedSteps(
  store: Pick<RequestStore, 'findByOrders'>,
  requests: readonly StoredRequest[],
  transaction: ChainTransaction,
): Promise<readonly RevertedStep[]> {
  const orderIds = wordsOf(transaction.input)
  const ordered = orderIds.length === 0 ? [] : await store.findByOrders(orderIds)
  const all = new Map([...requests, ...ordered].map((each) => [each.requestId, each]))
  return [...all.values()].flatMap(({ requestId, execution, steps }) =>
    steps.flatMap(({ id, items }, step) =>
      items.flatMap(({ data }, item) => {
        const isSwap = execution === 'user' && id !== 'approve'
        return !isSwap && isItem(transaction, data) ? [{ requestId, step, item }] : []
      }),
    ),
  )
}

const wordsOf = (input: Hex): readonly Hash[] =>
  (input.slice(10).match(/.{64}/g) ?? [])
    .slice(0, searchedWords)
    .map((word): Hash => `0x${word.toLowerCase()}`)
