import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import { RpcRefusedError } from '#src/chains/rpc/rpcError.ts'
import type { Log } from '#src/config/log.ts'
import { reasonOf } from '#src/core/errors.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { LeaseProof, OwnChain } from '#src/solver/ports.ts'

type Ports = Readonly<{
  client: Rpc
  lease: LeaseProof
  log: Log
}>

/** Sends stored transactions to the nodes, in the background. */
type Broadcasts = Readonly<{
  /** Sends the last attempt. A refusal is only counted: the monitor sends it again, or replaces it. */
  dispatch: (transaction: SolverTransaction) => void
  /** How often in a row nodes refused it because the account cannot pay for it, or no node takes it as it is. */
  refusals: (transaction: SolverTransaction) => number
  /** Discards the refusals of all other transactions. */
  keepOnly: (transactionIds: ReadonlySet<string>) => void
  /** Resolves once nodes have answered everything that was sent. */
  flushed: () => Promise<void>
}>

export function createBroadcasts(
  { client, lease, log }: Ports,
  { chain: { id: chainId } }: OwnChain,
): Broadcasts {
  /** Number of refusals for lack of funds, or because of what the transaction is, in a row, by transaction. */
  const refusals = new Map<string, number>()
  const sending = new Set<Promise<void>>()

  async function broadcast({ transactionId, attempts }: SolverTransaction): Promise<void> {
    const last = attempts.at(-1)
    if (last === undefined) return
    const facts = { chainId, transactionId, hash: last.hash }
    try {
      await lease.confirm()
    } catch (error) {
      // It is stored: the current leader sends it.
      log.info({ ...facts, reason: reasonOf(error) }, 'Did not send a transaction')
      return
    }
    try {
      await client.ask({ method: 'eth_sendRawTransaction', params: [last.raw] }, (hash) => hash)
      refusals.delete(transactionId)
      log.debug(facts, 'Sent a transaction')
    } catch (error) {
      const reason = reasonOf(error)
      if (isInsufficientFunds.test(reason) || error instanceof RpcRefusedError)
        refusals.set(transactionId, (refusals.get(transactionId) ?? 0) + 1)
      // The node has it, or another attempt was mined: the monitor finds out.
      if (isKnown.test(reason)) log.debug({ ...facts, reason }, 'The transaction was sent before')
      // It is stored: the monitor sends it again, or replaces it with a higher fee.
      else log.warn({ ...facts, reason }, 'A node refused a transaction; will send it again')
    }
  }

  return {
    dispatch(transaction) {
      const sent = broadcast(transaction).finally(() => sending.delete(sent))
      sending.add(sent)
    },
    refusals: ({ transactionId }) => refusals.get(transactionId) ?? 0,
    keepOnly: (ids) => {
      for (const id of refusals.keys()) if (!ids.has(id)) refusals.delete(id)
    },
    flushed: async () => {
      await Promise.all(sending)
    },
  }
}

const isKnown = /already (known|imported)|nonce too low/i
/** The account cannot pay the gas and the value. */
const isInsufficientFunds = /insufficient ?(funds|balance)/i
