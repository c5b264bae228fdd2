import type { Address } from '#src/core/units/address.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'

type Deps = Readonly<{
  store: Pick<RequestStore, 'nextNonce' | 'acceptNonce'>
  /** Number of the account's transactions in blocks; `pending` includes those in the mempool. */
  countAt: (block: 'latest' | 'pending') => Promise<number>
  /** Unix time in milliseconds. */
  now: () => number
}>

/** The account's next nonce: by its transactions in blocks, with those in the mempool, and in the store. */
type Nonces = Readonly<{ mined: number; pending: number; stored: number }>

type Reconciled = Nonces &
  Readonly<{
    /** `known`: the store has every transaction. `unknown`: it lacks some. `accepted`: the operator accepts these. */
    outcome: 'known' | 'unknown' | 'accepted'
  }>

class NonceNotAcceptedError extends Error {
  constructor(nonce: number, { mined, pending }: Nonces) {
    super(
      `The nonce ${nonce} is not accepted: the next nonce of the account is ${mined} in blocks, and ${pending} with its waiting transactions. Wait until both are ${nonce}.`,
    )
    this.name = 'NonceNotAcceptedError'
  }
}

/**
 * Compares an account's nonces on a chain with the store's. With `accept`, accepts every transaction below this nonce
 * that the store does not have, so that the account can send again.
 * @throws NonceNotAcceptedError unless `accept` is the chain's next nonce and nothing waits in the mempool
 */
export async function reconcileNonces(
  { store, countAt, now }: Deps,
  { chainId, account, accept }: Readonly<{ chainId: ChainId; account: Address; accept?: number }>,
): Promise<Reconciled> {
  const [mined, pending] = [await countAt('latest'), await countAt('pending')]
  const nonces = { mined, pending, stored: await store.nextNonce(chainId, account) }
  if (Math.max(mined, pending) <= nonces.stored) return { ...nonces, outcome: 'known' }
  if (accept === undefined) return { ...nonces, outcome: 'unknown' }
  if (accept !== mined || accept !== pending) throw new NonceNotAcceptedError(accept, nonces)
  await store.acceptNonce({ chainId, account, nonce: accept, acceptedAt: Math.floor(now() / 1000) })
  return { ...nonces, outcome: 'accepted' }
}
