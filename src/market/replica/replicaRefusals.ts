import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'

/** Why a message of a replica changed nothing. */
const words = {
  forged:
    'its HMAC is wrong or missing. FEED_SECRET or the solver of the configuration differs between processes, or somebody else writes to Redis',
  unreadable: 'its content cannot be read',
  misplaced: 'its position in the stream is wrong',
  replayed: 'it is older than the market',
  gap: 'messages before it are missing',
} as const satisfies Record<string, string>

export type Refusal = keyof typeof words

/** Statistics of one chain's replica at a gateway. */
export type Reception = Readonly<{
  /** Milliseconds since the last message that was accepted; undefined before the first. */
  silentMs: number | undefined
  /** Number of messages that changed nothing, by reason. */
  refused: ReadonlyMap<Refusal, number>
  /** Number of snapshots that were loaded. */
  snapshots: number
}>

/** Counts the refused messages of one replica. Logs the first of each kind. */
export function createRefusals(
  { log }: Readonly<{ log: Log }>,
  replica: Readonly<{ chainId: ChainId; stream: string }>,
): Readonly<{ refuse: (refusal: Refusal) => void; counts: () => ReadonlyMap<Refusal, number> }> {
  const counts = new Map<Refusal, number>()
  return {
    refuse: (refusal) => {
      const before = counts.get(refusal) ?? 0
      counts.set(refusal, before + 1)
      if (before === 0)
        log.warn(
          { ...replica, refusal },
          `Refused a message of the replica: ${words[refusal]}. Further ones are counted only`,
        )
    },
    counts: () => counts,
  }
}
