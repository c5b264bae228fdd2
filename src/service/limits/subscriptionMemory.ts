import { AppError } from '#src/core/errors.ts'
import { leastBy } from '#src/core/leastBy.ts'

/**
 * Counts the memory of an open subscription until the returned function is called. If all together take too much, the
 * newest ones of the client that holds the most are ended with SERVICE_UNAVAILABLE: perhaps this one, at once.
 */
export type HoldMemory = (
  client: string,
  bytes: number,
  end: (error: AppError) => void,
) => () => void

/** Enough for 50,000 usual subscriptions. */
const maxBytesOfAll = 536_870_912

/** An open subscription. */
type Held = Readonly<{ release: () => void; end: (error: AppError) => void }>

class OutOfMemoryError extends AppError {
  constructor() {
    super(
      'SERVICE_UNAVAILABLE',
      'The gateway has no memory for more subscriptions, and you hold the most. Close some, or subscribe again later.',
    )
  }
}

export function createSubscriptionMemory(maxBytes = maxBytesOfAll): HoldMemory {
  /** The subscriptions of each client, the newest last, and their bytes. */
  const holders = new Map<string, { bytes: number; readonly held: Set<Held> }>()
  let total = 0

  const endNewest = (): void => {
    const most = leastBy(holders.values(), ({ bytes }) => -bytes)
    const newest = [...(most?.held ?? [])].at(-1)
    newest?.release()
    newest?.end(new OutOfMemoryError())
  }

  return (client, bytes, end) => {
    const holder = holders.get(client) ?? { bytes: 0, held: new Set() }
    holders.set(client, holder)
    const release = (): void => {
      if (!holder.held.delete(held)) return
      holder.bytes -= bytes
      total -= bytes
      if (holder.held.size === 0) holders.delete(client)
    }
    const held = { release, end }
    holder.held.add(held)
    holder.bytes += bytes
    total += bytes
    while (total > maxBytes) endNewest()
    return release
  }
}
