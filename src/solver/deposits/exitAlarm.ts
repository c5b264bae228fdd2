import type { ChainView } from '#src/solver/chainView.ts'
import type { SolverChain, SolverDeps } from '#src/solver/solverDeps.ts'

/** An operator has this long to find out why a deposit cannot be settled. */
const alarmSeconds = 3 * 86_400
/** Deposits that one log entry names. */
const maxNamed = 20

/** Watches for deposits that are not settled, although their depositors can soon take them back. Logs each once. */
export function createExitAlarm(
  { store, log }: Pick<SolverDeps, 'store' | 'log'>,
  { chain: { id: chainId } }: Pick<SolverChain, 'chain'>,
): Readonly<{
  watch: (view: Pick<ChainView, 'head'>) => Promise<void>
  /** Number of these deposits at the last look; undefined before the first. */
  nearExit: () => number | undefined
}> {
  let logged: ReadonlySet<string> = new Set()
  let count: number | undefined

  return {
    nearExit: () => count,
    async watch({ head }) {
      const found = await store.nearExit(chainId, Number(head.timestamp) + alarmSeconds)
      const ids = found.map(({ depositId }) => depositId)
      const fresh = ids.filter((id) => !logged.has(id))
      if (fresh.length > 0)
        log.error(
          { chainId, count: ids.length, deposits: fresh.slice(0, maxNamed) },
          'Deposits are not settled, and their depositors can soon take them back',
        )
      logged = new Set(ids)
      count = ids.length
    },
  }
}
