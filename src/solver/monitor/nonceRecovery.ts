import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { isCancelled, type SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import { reopened } from '#src/requests/tracker/decide/transactions.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { AccountChain, SolverMarket } from '#src/solver/ports.ts'
import { marketFees, raisedFees } from '#src/solver/sending/estimateGas.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import { findReceipt } from './usedNonces.ts'

type Ports = Readonly<{
  client: ChainClient
  store: RequestStore
  log: Log
  market: SolverMarket
}>

/** After most reorgs the tracker marks the orphaned transactions as sent again before this many rounds. */
const roundsBeforeSearch = 3
const roundsBeforeError = 10
/** Searched blocks below the final block: the reorg may have happened while no solver ran. */
const searchedBlocks = 10_000n

/**
 * Refills nonces that a reorg has freed by orphaning final transactions, if the tracker has not noticed it. A
 * transaction that took effect is sent again unchanged. A failed transaction must not take effect later, because its
 * fill or refund was planned again or made in another way: a cancellation takes its nonce.
 */
export function createNonceRecovery(
  { client, store, log, market }: Ports,
  { chain, solver }: AccountChain,
  outbox: Outbox,
): (view: ChainView, missingNonces: readonly number[]) => Promise<void> {
  /** Consecutive rounds with missing nonces. */
  let brokenRounds = 0

  async function findOrphaned(view: ChainView, nonces: readonly number[]) {
    const from = (await view.finalHeight()) - searchedBlocks
    const stored = await store.openTransactions(chain.id, from)
    return stored.filter(({ account, nonce }) => account === solver && nonces.includes(nonce))
  }

  async function recover({ mined: _, ...transaction }: SolverTransaction): Promise<void> {
    const last = transaction.attempts.at(-1)
    const gas = market.latest(chain.id)?.gas
    if (last === undefined || gas === undefined) return
    // The node that reported the nonces may only be lagging.
    if ((await findReceipt(client, transaction)) !== undefined) return
    const { transactionId, nonce } = transaction
    log.warn(
      { chainId: chain.id, transactionId, nonce },
      'A reorg orphaned a final transaction; reusing its nonce',
    )
    if (transaction.status === 'reverted' && !isCancelled(transaction)) {
      await outbox.cancel(transaction, raisedFees(last, marketFees(gas)))
      return
    }
    const again = { ...transaction, status: 'sent' } as const
    const deposits = reopened(transaction, await store.findDeposits(transaction.depositIds))
    if ((await store.save({ transactions: [again], deposits })) === 'saved') outbox.resend(again)
  }

  return async (view, missingNonces) => {
    brokenRounds = missingNonces.length === 0 ? 0 : brokenRounds + 1
    if (brokenRounds < roundsBeforeSearch) return
    for (const each of await findOrphaned(view, missingNonces)) await recover(each)
    if (brokenRounds === roundsBeforeError)
      log.error(
        { chainId: chain.id, nonces: missingNonces },
        'The store is ahead of the chain’s nonces and lacks the transactions in between; sending nothing',
      )
  }
}
