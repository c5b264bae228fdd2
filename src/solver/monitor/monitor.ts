import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { SolverTransaction } from '#src/requests/state/solverTransaction.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain, SolverMarket } from '#src/solver/ports.ts'
import type { Outbox } from '#src/solver/sending/outbox.ts'
import type { StillPays } from './stillPays.ts'
import { createUsedNonces } from './usedNonces.ts'
import { createWaitingTransactions } from './waitingTransactions.ts'

type Ports = Readonly<{
  client: ChainClient
  store: RequestStore
  log: Log
  market: SolverMarket
  /** Milliseconds since 1970. */
  now: () => number
}>

export type Monitor = Readonly<{
  /**
   * Looks after all sent transactions. Returns the mined ones that had no effect: nothing replaces them until they are final,
   * but the amounts that they would have spent are free.
   */
  inspect: (view: ChainView) => Promise<ReadonlySet<SolverTransaction>>
  /** Number of fills whose nonce was used by a transaction that no node shows, at the last look. */
  unexplained: () => number
}>

/**
 * Monitors the sent transactions until a block includes them: sends them again, raises their fee, cancels them, and
 * records failures and confirmations for which no log exists that the tracker could see.
 */
export function createMonitor(
  ports: Ports,
  solverChain: SolverChain,
  outbox: Outbox,
  stillPays: StillPays,
): Monitor {
  const used = createUsedNonces(ports, solverChain)
  const waiting = createWaitingTransactions(ports, solverChain, outbox, stillPays)
  return {
    unexplained: used.unexplained,
    async inspect(view) {
      const sent = view.open.filter(({ status }) => status === 'sent')
      const ids = new Set(sent.map(({ transactionId }) => transactionId))
      waiting.keepOnly(ids)
      used.keepOnly(ids)
      const isMined = ({ nonce }: SolverTransaction) => nonce < view.nonces.mined
      const mined = sent.filter(isMined)
      const isIneffective = await Promise.all(mined.map((each) => used.inspect(each, view)))
      for (const each of sent) if (!isMined(each)) await waiting.push(each, view)
      return new Set(mined.filter((_, at) => isIneffective[at]))
    },
  }
}
