import { parseArgs } from 'node:util'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'

const usage = 'Usage: npm run resume, or npm run resume -- --chain <id> --asset <symbol>'

/** `npm run resume`: see docs/operations.md. */
async function resume(): Promise<string> {
  const text = { type: 'string' } as const
  const { chain, asset } = parseArgs({ options: { chain: text, asset: text } }).values
  const lists = chain === undefined && asset === undefined
  const isComplete = chain !== undefined && /^\d{1,15}$/.test(chain) && asset !== undefined
  if (!(lists || isComplete)) throw new Error(usage)
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = readEnvironment(process.env)
  const deps = { log: createLog('warn'), bus: { publish: () => {} } }
  const at = { directory, ...(databaseUrl !== undefined && { databaseUrl }) }
  const store = await openRequestStore(deps, at)
  try {
    if (chain !== undefined && asset !== undefined) {
      const isResumed = await store.resumeAsset(toChainId(Number(chain)), asset)
      return isResumed
        ? `${asset} is resumed on chain ${chain}.`
        : `${asset} is not stopped on chain ${chain}.`
    }
    const stopped = await store.stoppedAssets()
    if (stopped.length === 0) return 'No asset is stopped.'
    return stopped
      .map(
        (each) =>
          `${each.asset} on chain ${each.chainId}, since ${new Date(each.stoppedAt).toISOString()}: ${each.reason}`,
      )
      .join('\n')
  } finally {
    await store.close()
  }
}

try {
  process.stdout.write(`${await resume()}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
