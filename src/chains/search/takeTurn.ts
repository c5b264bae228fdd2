import { randomUUID } from 'node:crypto'
import { pause } from '#src/chains/backoff.ts'
import type { SearchStore } from './searchStore.ts'

/** A process that is killed keeps its turn for `leaseMs` at most. In milliseconds. */
const usualTiming = { leaseMs: 5_000, beatMs: 1_500, retryMs: 500 }

type TurnArgs = Readonly<{
  duty: string
  /** Called once if somebody else has the turn. */
  onWait: () => void
  signal: AbortSignal
  timing?: typeof usualTiming
}>

/**
 * Runs `work` while no other process of the database does this duty. Undefined where the signal fires before its turn.
 * A turn can be lost, as when this process is frozen: `work` must stay right beside another.
 * @throws what the store and `work` throw
 */
export async function takeTurn<Value>(
  store: Pick<SearchStore, 'claimTurn' | 'endTurn'>,
  { duty, onWait, signal, timing = usualTiming }: TurnArgs,
  work: () => Promise<Value>,
): Promise<Value | undefined> {
  const { leaseMs, beatMs, retryMs } = timing
  const claim = { duty, holder: randomUUID(), leaseMs }
  let turn = await store.claimTurn(claim)
  if (turn === undefined) onWait()
  while (turn === undefined && !signal.aborted) {
    await pause(retryMs, signal)
    if (!signal.aborted) turn = await store.claimTurn(claim)
  }
  if (turn === undefined) return undefined
  let current = turn
  const beat = setInterval(() => {
    // A turn that cannot be extended ends by itself.
    store.claimTurn(claim).then(
      (extended) => {
        current = extended ?? current
      },
      () => undefined,
    )
  }, beatMs)
  try {
    return await work()
  } finally {
    clearInterval(beat)
    await store.endTurn(current).catch(() => undefined)
  }
}
