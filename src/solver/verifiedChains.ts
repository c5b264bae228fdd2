import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { CursorReads } from '#src/requests/trackingStore.ts'

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, Rpc>
  store: CursorReads
  log: Log
  /** Unix time in milliseconds. */
  now: () => number
  /** Whether a chain may restart from a new genesis block with the same chain id. */
  isDevnet?: boolean
}>

/**
 * Checks that the stored data of a chain belongs to the chain that its nodes serve: both have the same genesis block. A
 * new devnet reuses the chain id of the previous one, whose data stays stored until the tracker removes it. The solver
 * must not pay because of such data.
 */
export type VerifiedChains = Readonly<{
  /** Remembers a positive answer for a minute. @throws what the store and the RPC throw. */
  isVerified: (chainId: ChainId) => Promise<boolean>
  /** Discards all answers. A process that becomes the leader checks again. */
  reset: () => void
}>

export function createVerifiedChains({
  clients,
  store,
  log,
  now,
  isDevnet = false,
}: Deps): VerifiedChains {
  /** Time of the last verification of each chain. */
  const verified = new Map<ChainId, number>()
  /** Chains whose mismatch was logged. */
  const logged = new Set<ChainId>()

  async function verify(chainId: ChainId): Promise<boolean> {
    const client = clients.get(chainId)
    if (client === undefined) return false
    const [cursor, first] = await Promise.all([
      store.cursor(chainId),
      readHeaderAt(client, 0n, AbortSignal.timeout(timeoutMs)),
    ])
    const isSame = cursor !== undefined && cursor.genesis === first?.hash
    if (!(isSame || logged.has(chainId))) {
      logged.add(chainId)
      if (cursor === undefined)
        log.debug({ chainId }, 'The tracker has not read this chain yet: its requests wait')
      else if (isDevnet)
        log.info(
          { chainId },
          'The devnet is new; requests wait until those of the old one are deleted',
        )
      else
        log.error({ chainId }, 'The node serves another chain than the stored one: nothing is paid')
    }
    return isSame
  }

  return {
    async isVerified(chainId) {
      if (now() - (verified.get(chainId) ?? -Infinity) < validMs) return true
      const isSame = await verify(chainId)
      if (isSame) verified.set(chainId, now())
      else verified.delete(chainId)
      return isSame
    },
    reset() {
      verified.clear()
      logged.clear()
    },
  }
}

const timeoutMs = 10_000
/** Nodes may start to serve another chain later. */
const validMs = 60_000
