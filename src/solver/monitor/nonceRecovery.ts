import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import { isCancelled } from '#src/solver/sending/cancellation.ts'
import { marketFees, raisedFees } from '#src/solver/sending/fees.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'
import { findReceipt } from './findReceipt.ts'

/** The tracker sees most reorgs by then, and has what counted sent again. */
const looksBeforeSearch = 3
const looksBeforeAlarm = 10
/** Below what is final now: the reorg may have been a while ago, with nobody here to see it. */
const searchedBlocks = 10_000n

/**
 * Fills the nonces that a reorg has emptied of what counted, where the tracker has not. Of what failed a chain or a
 * node has undone what it had called final: it was planned anew, or paid back, and must not be made after all, so
 * its nonce is taken by nothing.
 */
export function createRevival(
  { client, store, log, market }: Pick<SolverDeps, 'client' | 'store' | 'log' | 'market'>,
  { chain, solver }: SolverChain,
  outbox: Pick<Outbox, 'cancel' | 'resend'>,
): (view: ChainView, nonces: readonly number[]) => Promise<void> {
  /** Looks in a row that found nonces without a transaction. */
  let brokenLooks = 0

  async function lostAt(view: ChainView, nonces: readonly number[]) {
    const stored = await store.openTransactions(chain.id, (await view.final()) - searchedBlocks)
    return stored.filter(({ account, nonce }) => account === solver && nonces.includes(nonce))
  }

  async function revive({ mined: _, ...transaction }: SolverTransaction): Promise<void> {
    const last = transaction.attempts.at(-1)
    const gas = market.latest(chain.id)?.gas
    if (last === undefined || gas === undefined) return
    // A node that has not come so far does not know it either.
    if ((await findReceipt(client, transaction)) !== undefined) return
    const { transactionId, nonce } = transaction
    log.warn(
      { chainId: chain.id, transactionId, nonce },
      'A reorg has undone a transaction that counted: its nonce is used again',
    )
    // What went through is sent as it was: with its nonce it works once.
    if (transaction.status === 'reverted' && !isCancelled(transaction)) {
      await outbox.cancel(transaction, raisedFees(last, marketFees(gas)))
      return
    }
    const again = { ...transaction, status: 'sent' } as const
    if ((await store.save({ transactions: [again] })) === 'saved') outbox.resend(again)
  }

  return async (view, nonces) => {
    brokenLooks = nonces.length === 0 ? 0 : brokenLooks + 1
    if (brokenLooks < looksBeforeSearch) return
    for (const each of await lostAt(view, nonces)) await revive(each)
    if (brokenLooks === looksBeforeAlarm)
      log.error(
        { chainId: chain.id, nonces },
        'The store has later nonces than the chain, and not the transactions between: nothing is sent',
      )
  }
}
