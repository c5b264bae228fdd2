import type { RequestEvent } from '#src/requests/state/requestEvent.ts'
import { idOf } from '#test/support/store/storeModel.ts'

/** The transaction with the nth hash, in a block. */
const minedOn = (chainId: number, at: number) => ({
  transaction: { chainId, hash: idOf(at), block: { number: 7n, hash: idOf(at) } },
})

/** A deposit for the only input, by the transaction with the nth hash. */
export const depositOf = (at: number) => ({ input: 0, depositId: idOf(at), ...minedOn(990001, at) })

/** What happens to a request that is filled. Of what a state knows already nothing comes again. */
export const life: readonly RequestEvent[] = [
  { type: 'depositSeen', ...depositOf(1) },
  { type: 'depositCredited', ...depositOf(1) },
  { type: 'fillSent', transaction: { chainId: 990002, hash: idOf(2) } },
  { type: 'fillMined', ...minedOn(990002, 2) },
  { type: 'fillConfirmed', ...minedOn(990002, 2) },
]
