import type { Log } from '#src/config/log.ts'
import { advance } from '#src/requests/machine.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Deposit } from '#src/requests/state/deposit.ts'
import type { FailReason } from '#src/requests/state/requestState.ts'
import { createBlockDebounce } from '#src/solver/blockDebounce.ts'
import type { OwnChain, Runtime } from '#src/solver/ports.ts'
import type { Candidate } from './fillCandidates.ts'
import type { FillChecks } from './fillChecks.ts'

type Ports = Runtime & Readonly<{ store: RequestStore }>

/** Marks the deposits of requests as refundable instead of filling them. */
export type RefundMarks = Readonly<{
  /** Marks the request once it was refused for `blocks` blocks up to `height`. By default the reason decides. */
  mark: (candidate: Candidate, reason: FailReason, height: bigint, blocks?: bigint) => Promise<void>
  /** A fill was sent: earlier refusals no longer count. */
  forget: (requestId: string) => void
}>

export function createRefundMarks(
  { store, log, now }: Ports,
  { chain: { id: chainId } }: OwnChain,
): RefundMarks {
  const debounce = createBlockDebounce()
  return {
    forget: debounce.forget,
    async mark({ request, deposits }, reason, height, blocks = debounceBlocks(reason)) {
      const { requestId } = request
      if (blocks > 0n && !debounce.hasLasted(requestId, height, blocks)) return
      const state = advance(request, { type: 'refundDue', reason }, now())
      if (state === request.state) return
      // One save for all deposits: a reorg may undo a deposit on another chain at the same time.
      const saved = await store.save({
        requests: [{ ...request, state }],
        deposits: deposits.map((each): Deposit => ({ ...each, status: 'refundable', reason })),
      })
      if (saved === 'conflict') return
      debounce.forget(requestId)
      log.info({ chainId, requestId, reason }, 'A request is refunded instead of filled')
    },
  }
}

/**
 * Whether the depositories owe the deposits of a fill. One that is paid out, by a refund that the store has lost, is
 * marked as refundable: the refund then finds who was paid.
 */
export const createIsOwed =
  ({ log, fillChecks }: Readonly<{ log: Log; fillChecks: FillChecks }>, marks: RefundMarks) =>
  async (candidate: Candidate, height: bigint): Promise<boolean> => {
    const { request, deposits } = candidate
    const verdict = await fillChecks.owed(deposits)
    if (verdict === 'owed') return true
    const facts = { chainId: request.destinationChainId, requestId: request.requestId }
    if (verdict === 'notYet') {
      log.debug(facts, 'A fill waits: a payout of its deposits may be missing from the store')
      return false
    }
    log.error(facts, 'A deposit is paid out, and the store does not know why: it is not filled')
    await marks.mark(candidate, 'UNKNOWN', height, 1n)
    return false
  }

/** Number of blocks for which a reason must last before the refund: 0 if no block can change it. */
export function debounceBlocks(reason: FailReason): bigint {
  switch (reason) {
    case 'UNKNOWN':
    case 'INCORRECT_DEPOSIT_CURRENCY':
    case 'ORDER_EXPIRED':
      return 0n
    // A lagging node may not have the last transaction of an account.
    case 'INVALID_NONCE':
    // Gas is sometimes expensive for a few blocks.
    case 'SOLVER_CAPACITY_EXCEEDED':
      return 4n
    // The fill is planned at the market's block and simulated on a newer one.
    case 'TOO_LITTLE_RECEIVED':
      return 3n
    default:
      return 1n
  }
}
