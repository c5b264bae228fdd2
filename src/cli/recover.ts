import { parseArgs } from 'node:util'
import { depositCurrencies } from '#src/config/config.ts'
import { createContractKinds } from '#src/market/contracts/contractKinds.ts'
import { createGates } from '#src/market/reads/gatedAsk.ts'
import { recoverTransfers } from '#src/solver/deposits/recoverTransfers.ts'
import { readChain, withChain } from './openStore.ts'

const usage = 'Usage: npm run recover -- --config <file> --chain <id> --tx <hash>'

/** `npm run recover`: see docs/operations.md. */
async function recover(): Promise<readonly string[]> {
  const text = { type: 'string' } as const
  const {
    config: path,
    chain: id,
    tx,
  } = parseArgs({
    options: { config: text, chain: text, tx: text },
  }).values
  if (path === undefined || id === undefined || !/^0x[0-9a-f]{64}$/.test(tx ?? ''))
    throw new Error(usage)
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

try {
  process.stdout.write(`${(await recover()).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
