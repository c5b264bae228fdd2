import { readHeaderAt } from '#src/chains/read/readBlock.ts'
import type { ChainClient } from '#src/chains/rpc/chainClient.ts'
import type { Log } from '#src/log.ts'
import type { RequestStore } from '#src/requests/requestStore.ts'
import type { ChainId } from '#src/units/chainId.ts'

type Deps = Readonly<{
  clients: ReadonlyMap<ChainId, Pick<ChainClient, 'ask'>>
  store: Pick<RequestStore, 'cursor'>
  log: Log
}>

/**
 * Whether what is stored of a chain is of the chain that its nodes show. Devnets of one id follow each
 * other, and what is left of an earlier one stays stored until the tracker has forgotten it: nothing is to
 * be paid out by that.
 */
export type KnownChains = Readonly<{
  /** Asks until it is so, and no more from then on. @throws what the store and the RPC throw. */
  isKnown: (chainId: ChainId) => Promise<boolean>
  /** Whoever begins to work asks again: much may have happened while others worked. */
  forget: () => void
}>

export function createKnownChains({ clients, store, log }: Deps): KnownChains {
  const known = new Set<ChainId>()
  /** Those that the log has already. */
  const told = new Set<ChainId>()

  async function ask(chainId: ChainId): Promise<boolean> {
    const client = clients.get(chainId)
    if (client === undefined) return false
    const [cursor, first] = await Promise.all([
      store.cursor(chainId),
      readHeaderAt(client, 0n, AbortSignal.timeout(askMs)),
    ])
    const isSame = cursor !== undefined && cursor.genesis === first?.hash
    if (!(isSame || told.has(chainId))) {
      told.add(chainId)
      log.info({ chainId }, 'No tracker has looked at this chain yet: what hangs on it waits')
    }
    return isSame
  }

  return {
    async isKnown(chainId) {
      if (known.has(chainId)) return true
      const isSame = await ask(chainId)
      if (isSame) known.add(chainId)
      return isSame
    },
    forget() {
      known.clear()
      told.clear()
    },
  }
}

const askMs = 10_000
