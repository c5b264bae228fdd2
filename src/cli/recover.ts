import { runCommand, UsageError } from '#src/config/command.ts'
import { depositCurrencies } from '#src/config/config.ts'
import { createContractKinds } from '#src/market/contracts/contractKinds.ts'
import { createGates } from '#src/market/reads/gatedAsk.ts'
import { recoverTransfers } from '#src/solver/deposits/recoverTransfers.ts'
import { readChain, withChain } from './openStore.ts'

const command = {
  usage: 'npm run recover -- --config <file> --chain <id> --tx <hash>',
  help: `
Refunds plain transfers of a transaction that the depository did not record.

  --config FILE  the configuration
  --chain ID     the chain of the transaction
  --tx HASH      the transaction`,
  options: { config: { type: 'string' }, chain: { type: 'string' }, tx: { type: 'string' } },
} as const

type Given = Readonly<Partial<Record<'config' | 'chain' | 'tx', string | undefined>>>

/** `npm run recover`: see docs/operations.md. */
async function recover({ config: path, chain: id, tx }: Given): Promise<readonly string[]> {
  if (path === undefined || id === undefined || !/^0x[0-9a-f]{64}$/.test(tx ?? ''))
    throw new UsageError()
  const { config, chain } = readChain(path, id)
  const { contracts, wrappedNative } = chain
  if (contracts === undefined)
    throw new Error(`${path} does not configure chain ${id} with contracts`)
  return withChain(process.env, chain, ({ client, store }) => {
    const clients = new Map([[chain.id, client]])
    const contractKinds = createContractKinds(clients, createGates([chain], 2))
    const tracked = {
      chainId: chain.id,
      contracts,
      wrappedNative,
      depositCurrencies: depositCurrencies(config, chain),
    }
    return recoverTransfers({ client, store, contractKinds }, tracked, chain, tx as `0x${string}`)
  })
}

await runCommand(command, async ({ values }) => (await recover(values)).join('\n'))
