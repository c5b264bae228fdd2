import type { ChainId } from '#src/core/units/chainId.ts'
import type { OrderDeps } from '#src/service/order/readOrder.ts'

/** Detects chains that become stale. No block announces that. */
export type Staleness = Readonly<{
  join: (chainIds: readonly ChainId[]) => void
  leave: (chainIds: readonly ChainId[]) => void
}>

/** Time between two checks, in milliseconds. A market becomes stale after 15 seconds or more. */
const intervalMs = 1_000

/** Calls `onChange` when one of the joined chains becomes stale or is current again. */
export function watchStaleness(
  { snapshot }: OrderDeps,
  onChange: (chainId: ChainId) => void,
): Staleness {
  /** Number of subscribers of each chain, and whether it was stale at the last check. */
  const chains = new Map<ChainId, { joined: number; isStale: boolean }>()
  let timer: NodeJS.Timeout | undefined

  const isStale = (chainId: ChainId): boolean => {
    try {
      snapshot([chainId])
      return false
    } catch {
      return true
    }
  }

  const check = (): void => {
    for (const [chainId, chain] of chains) {
      const before = chain.isStale
      chain.isStale = isStale(chainId)
      if (chain.isStale !== before) onChange(chainId)
    }
  }

  return {
    join: (chainIds) => {
      for (const chainId of chainIds) {
        const chain = chains.get(chainId) ?? { joined: 0, isStale: false }
        chain.joined += 1
        chains.set(chainId, chain)
      }
      timer ??= setInterval(check, intervalMs).unref()
    },
    leave: (chainIds) => {
      for (const chainId of chainIds) {
        const chain = chains.get(chainId)
        if (chain === undefined) continue
        chain.joined -= 1
        if (chain.joined === 0) chains.delete(chainId)
      }
      if (chains.size > 0) return
      clearInterval(timer)
      timer = undefined
    },
  }
}
