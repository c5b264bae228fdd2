import { parseArgs } from 'node:util'
import { toChainId } from '#src/core/units/chainId.ts'
import { withStore } from './openStore.ts'

const usage = 'Usage: npm run resume, or npm run resume -- --chain <id> --asset <symbol>'

/** `npm run resume`: see docs/operations.md. */
async function resume(): Promise<string> {
  const text = { type: 'string' } as const
  const { chain, asset } = parseArgs({ options: { chain: text, asset: text } }).values
  const lists = chain === undefined && asset === undefined
  const isComplete = chain !== undefined && /^\d{1,15}$/.test(chain) && asset !== undefined
  if (!(lists || isComplete)) throw new Error(usage)
  return withStore(process.env, async (store) => {
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
  })
}

try {
  process.stdout.write(`${await resume()}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
