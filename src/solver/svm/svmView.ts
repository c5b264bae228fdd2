import type { SvmClient } from '#src/chains/svm/svmClient.ts'
import type { Blockhash } from '#src/core/units/svm/blockhash.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { decodeClock } from '#src/protocol/svm/clock.ts'
import { sysvars } from '#src/protocol/svm/programIds.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import { readOpen, type WorkView } from '#src/solver/chainView.ts'
import type { SolverMarket } from '#src/solver/ports.ts'
import { nonceAccountsOf, nonceOf } from './nonceAccounts.ts'
import type { SvmSolverChain } from './svmPorts.ts'

/** The final state of a Solana chain at the start of one round of the solver. */
export type SvmView = WorkView &
  Readonly<{
    /** The values of the solver's nonce accounts. */
    nonces: ReadonlyMap<Pubkey, Blockhash>
    /** Those that are not made yet, with the lamports that they hold. */
    missing: ReadonlyMap<Pubkey, bigint>
  }>

/** Without a market, transactions that are final do not count. */
const noFinalOnes = { number: 2n ** 62n, timestamp: 0n }

type Ports = Readonly<{ client: SvmClient; store: RequestStore; market: SolverMarket }>

export const readSvmOpen = (
  ports: Omit<Ports, 'client'>,
  solverChain: Pick<SvmSolverChain, 'chain' | 'solver'>,
): Promise<SvmView['open']> => readOpen(ports, solverChain, noFinalOnes)

/** One request to a node. */
export async function readSvmView(
  { client, store, market }: Ports,
  { chain, solver }: SvmSolverChain,
): Promise<SvmView> {
  // Read first: a transaction that becomes final meanwhile then still has its nonce account, and nobody else gets it.
  const open = await readSvmOpen({ store, market }, { chain, solver })
  const nonceAccounts = nonceAccountsOf(solver)
  const { slot, accounts } = await client.getAccounts(
    [sysvars.clock, ...nonceAccounts],
    'finalized',
  )
  const [clock, ...found] = accounts
  const nonces = new Map<Pubkey, Blockhash>()
  const missing = new Map<Pubkey, bigint>()
  nonceAccounts.forEach((nonceAccount, at) => {
    const nonce = nonceOf(found[at], solver)
    if (nonce === undefined) missing.set(nonceAccount, found[at]?.lamports ?? 0n)
    else nonces.set(nonceAccount, nonce)
  })
  const timestamp = clock && decodeClock(clock)
  if (timestamp === undefined) throw new Error('The node has no clock')
  const head = { number: slot, timestamp }
  return { head, open, nonces, missing, finalHeight: async () => slot }
}
