import { parseArgs } from 'node:util'
import { createChainClient } from '#src/chains/rpc/chainClient.ts'
import { depositCurrencies, readConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { createLog } from '#src/config/log.ts'
import { createContractKinds } from '#src/market/contracts/contractKinds.ts'
import { createGates } from '#src/market/reads/gatedAsk.ts'
import { createLocalBus } from '#src/requests/events/bus.ts'
import { openRequestStore } from '#src/requests/store/openRequestStore.ts'
import { recoverTransfers } from '#src/solver/deposits/recoverTransfers.ts'

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
  const config = readConfig(path)
  const chain = config.chains.find((each) => String(each.id) === id)
  if (chain?.contracts === undefined)
    throw new Error(`${path} does not configure chain ${id} with contracts`)
  const { DATABASE_URL: databaseUrl, DATA_DIRECTORY: directory } = readEnvironment(process.env)
  const log = createLog('silent')
  const client = createChainClient(chain, log)
  const store = await openRequestStore(
    { log, bus: createLocalBus() },
    { directory, ...(databaseUrl !== undefined && { databaseUrl }) },
  )
  try {
    const clients = new Map([[chain.id, client]])
    const contractKinds = createContractKinds(clients, createGates([chain], 2))
    const { contracts, wrappedNative } = chain
    const tracked = {
      chainId: chain.id,
      contracts,
      wrappedNative,
      depositCurrencies: depositCurrencies(config, chain),
    }
    return await recoverTransfers(
      { client, store, contractKinds },
      tracked,
      chain,
      tx as `0x${string}`,
    )
  } finally {
    await store.close()
    client.close()
  }
}

try {
  process.stdout.write(`${(await recover()).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
