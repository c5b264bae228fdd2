import { AppError } from '#src/core/errors.ts'
import { leastBy } from '#src/core/leastBy.ts'

/**
 * Counts the memory of an open subscription. If all together take too much, the newest ones of the client that holds the
 * most are ended with SERVICE_UNAVAILABLE: perhaps this one, at once.
 */
export type HoldMemory<Client> = (client: Client, end: (error: AppError) => void) => HeldMemory

export type HeldMemory = Readonly<{
  /** Counts this many bytes from now on, unless it counts more already. */
  grow: (bytes: number) => void
  /** Counts the subscription no longer. */
  release: () => void
}>

/** 1 GiB: enough for 40,000 usual subscriptions. */
const maxBytesOfAll = 2 ** 30

/** An open subscription. */
type Held = HeldMemory & Readonly<{ end: (error: AppError) => void }>

class OutOfMemoryError extends AppError {
  constructor() {
    super(
      'SERVICE_UNAVAILABLE',
      'The gateway has no memory for more subscriptions, and you hold the most. Close some, or subscribe again later.',
    )
  }
}

export function createSubscriptionMemory(maxBytes = maxBytesOfAll): HoldMemory<string> {
  /** The subscriptions of each client, the newest last, and their bytes. */
  const holders = new Map<string, { bytes: number; readonly held: Set<Held> }>()
  let total = 0

  const endNewest = (): void => {
    const most = leastBy(holders.values(), ({ bytes }) => -bytes)
    const newest = [...(most?.held ?? [])].at(-1)
    newest?.release()
    newest?.end(new OutOfMemoryError())
  }

  return (client, end) => {
    const holder = holders.get(client) ?? { bytes: 0, held: new Set() }
    holders.set(client, holder)
    let counted = 0
    const count = (bytes: number): void => {
      holder.bytes += bytes - counted
      total += bytes - counted
      counted = bytes
    }
    const held: Held = {
      grow: (bytes) => {
        if (bytes <= counted || !holder.held.has(held)) return
        count(bytes)
        while (total > maxBytes) endNewest()
      },
      release: () => {
        if (!holder.held.delete(held)) return
        count(0)
        if (holder.held.size === 0) holders.delete(client)
      },
      end,
    }
    holder.held.add(held)
    return held
  }
}
