import { createWakeSignal } from '#src/chains/wakeSignal.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { Bus } from '#src/requests/events/bus.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { Inspector } from './inspect/inspector.ts'
import type { WatchList } from './inspect/watchList.ts'
import { retry } from './retry.ts'

type Deps = Readonly<{
  log: Log
  store: Pick<RequestStore, 'takeHints'>
  bus: Pick<Bus, 'listen'>
  watchList: WatchList
  inspector: Inspector
}>

/** Maximum time between two reads of hints: a wake-up message may be lost. */
const maxIntervalMs = 15_000

/** Until `signal` fires, takes the hints that clients leave for the chain and inspects their transactions. */
export async function takeHints(
  { log, store, bus, watchList, inspector }: Deps,
  chainId: ChainId,
  signal: AbortSignal,
): Promise<void> {
  const { wake, wait } = createWakeSignal()
  const stopListening = bus.listen((wakeup) => {
    const isOurs = wakeup.kind === 'hint' && wakeup.chainId === chainId
    if (isOurs || wakeup.kind === 'missed') wake()
  })
  signal.addEventListener('abort', wake)
  wake()
  while (!signal.aborted) {
    await wait(maxIntervalMs)
    const hints = signal.aborted
      ? []
      : await retry({ log, signal }, { chainId, task: 'take hints' }, () =>
          store.takeHints(chainId),
        )
    for (const { chainId: _, ...watched } of hints ?? []) {
      watchList.add(watched)
      inspector.inspect(watched)
    }
  }
  signal.removeEventListener('abort', wake)
  stopListening()
}
