import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { Rpc } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/config/log.ts'
import type { ChainId } from '#src/core/units/chainId.ts'
import type { BlockHash } from '#src/core/units/txId.ts'
import type { CursorReads } from '#src/requests/trackingStore.ts'

/** The hash of the genesis block that the nodes of a chain serve; undefined if none has it. */
type ReadGenesis = () => Promise<BlockHash | undefined>

type Deps = Readonly<{
  genesisReads: ReadonlyMap<ChainId, ReadGenesis>
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

/** Reads the genesis blocks of EVM chains. */
export const evmGenesisReads = (
  clients: ReadonlyMap<ChainId, Rpc>,
): ReadonlyMap<ChainId, ReadGenesis> =>
  new Map(
    [...clients].map(([chainId, client]) => [
      chainId,
      async () => (await readHeaderAt(client, 0n, AbortSignal.timeout(timeoutMs)))?.hash,
    ]),
  )

export function createVerifiedChains({
  genesisReads,
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
    const readGenesis = genesisReads.get(chainId)
    if (readGenesis === undefined) return false
    const [cursor, genesis] = await Promise.all([store.cursor(chainId), readGenesis()])
    const isSame = cursor !== undefined && cursor.genesis === genesis
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
