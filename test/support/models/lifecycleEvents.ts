import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { idOf } from '#test/support/store/storeModel.ts'

/** The transaction with hash number n in a block. */
const minedOn = (chainId: number, at: number) => ({
  transaction: { chainId, hash: idOf(at), block: { number: 7n, hash: idOf(at) } },
})

/** A deposit for the only input by the transaction with hash number n. */
export const depositOf = (at: number) => ({ input: 0, depositId: idOf(at), ...minedOn(990001, at) })

/** The events of a request until it is filled. Each of them changes the state. */
export const lifecycleEvents: readonly RequestEvent[] = [
  { type: 'depositSeen', ...depositOf(1) },
  { type: 'depositCredited', ...depositOf(1) },
  { type: 'fillSent', transaction: { chainId: 990002, hash: idOf(2) } },
  { type: 'fillMined', ...minedOn(990002, 2) },
  { type: 'fillConfirmed', ...minedOn(990002, 2) },
]
