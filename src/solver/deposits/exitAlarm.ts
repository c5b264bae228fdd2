import type { Log } from '#src/config/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainView } from '#src/solver/chainView.ts'
import type { OwnChain } from '#src/solver/ports.ts'

/** Time that an operator has before the exit to find out why a deposit is not settled. */
const alarmSeconds = 3 * 86_400
/** Maximum number of deposits in one log entry. */
const maxNamed = 20

/** Logs deposits that are not settled, although their depositors can soon take them back. Logs each once. */
export function createExitAlarm(
  { store, log }: Readonly<{ store: RequestStore; log: Log }>,
  { chain: { id: chainId } }: OwnChain,
): Readonly<{
  check: (view: ChainView) => Promise<void>
  /** Number of these deposits at the last check; undefined before the first. */
  nearExit: () => number | undefined
}> {
  let logged: ReadonlySet<string> = new Set()
  let count: number | undefined

  return {
    nearExit: () => count,
    async check({ head }) {
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
