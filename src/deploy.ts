import { parseArgs } from 'node:util'
import { readConfig } from '#src/config.ts'
import { deployContracts } from '#src/deploy/deployContracts.ts'
import { readDeployEnvironment } from '#src/deploy/deployEnvironment.ts'

/** `npm run deploy -- --config <file> --chain <id>`: see docs/contracts.md. */
async function deploy(): Promise<void> {
  const options = { config: { type: 'string' }, chain: { type: 'string' } } as const
  const { config: path, chain: id } = parseArgs({ options }).values
  if (path === undefined || id === undefined)
    throw new Error('Usage: npm run deploy -- --config <file> --chain <id>')
  const { chains, solver } = readConfig(path)
  const chain = chains.find((each) => String(each.id) === id)
  if (chain === undefined) {
    const known = chains.map((each) => `${each.id} (${each.displayName})`).join(', ')
    throw new Error(`${path} does not configure chain ${id}; it has ${known}`)
  }
  const environment = readDeployEnvironment(process.env)
  const contracts = await deployContracts({
    chain,
    account: environment.DEPLOYER_PRIVATE_KEY,
    roles: {
      owner: environment.OWNER ?? solver.address,
      allocator: environment.ALLOCATOR ?? solver.address,
    },
    report: (line) => process.stderr.write(`${line}\n`),
  })
  process.stdout.write(`${JSON.stringify({ contracts }, null, 2)}\n`)
}

try {
  await deploy()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}
