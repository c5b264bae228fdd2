import { createSvmClient } from '#src/chains/svm/svmClient.ts'
import { withStore } from '#src/cli/openStore.ts'
import { readConfig } from '#src/config/config.ts'
import { createLog } from '#src/config/log.ts'
import { skipHistory } from '#src/requests/tracker/svm/skipHistory.ts'

type Environment = Parameters<typeof withStore>[0]

/** Lets the tracker of a Solana chain skip the history that no node has: see docs/runbook.md. */
export async function reconcileRecords(
  path: string,
  id: string,
  { environment, ...terms }: Readonly<{ environment: Environment; leaves: boolean }>,
): Promise<string> {
  const chain = readConfig(path).svmChains.find((each) => String(each.id) === id)
  if (chain?.program === undefined)
    throw new Error(`${path} does not configure a Solana chain ${id} with a program`)
  const { program, genesisHash: genesis, displayName } = chain
  const log = createLog('warn')
  const client = createSvmClient(chain, log)
  try {
    return await withStore(environment, async (store) => {
      const deps = { client, log, store, now: Date.now }
      const tracked = { chainId: chain.id, program, genesis }
      const { slot, found, missing, isSaved } = await skipHistory(deps, tracked, terms)
      const lines = missing.map(
        (each) => `No transaction of record ${each.record}, slot ${each.slot}`,
      )
      const outcome = isSaved
        ? `Read the transactions of ${found} records. The tracker will follow ${displayName} from slot ${slot}.`
        : 'Nothing is changed. Add an endpoint with the whole history to rpcUrls, or run this again with --leave.'
      return [...lines, outcome].join('\n')
    })
  } finally {
    client.close()
  }
}
