import { runCommand, UsageError } from '#src/config/command.ts'
import { toChainId } from '#src/core/units/chainId.ts'
import { withStore } from './openStore.ts'

const command = {
  usage: 'npm run resume [-- --chain <id> --asset <symbol>]',
  help: `
Lists the stopped assets, each with its reason. With a chain and an asset, resumes this one.

  --chain ID      the chain
  --asset SYMBOL  the asset, as the configuration names it`,
  options: { chain: { type: 'string' }, asset: { type: 'string' } },
} as const

type Given = Readonly<{ chain?: string | undefined; asset?: string | undefined }>

/** `npm run resume`: see docs/operations.md. */
async function resume({ chain, asset }: Given): Promise<string> {
  const lists = chain === undefined && asset === undefined
  const isComplete = chain !== undefined && /^\d{1,15}$/.test(chain) && asset !== undefined
  if (!(lists || isComplete)) throw new UsageError()
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

await runCommand(command, ({ values }) => resume(values))
