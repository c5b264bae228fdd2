import { readFileSync, writeFileSync } from 'node:fs'
import { applyEdits, modify } from 'jsonc-parser'
import { z } from 'zod'
import { runCommand, UsageError } from '#src/config/command.ts'
import { readConfig } from '#src/config/config.ts'
import { checkKeySource, keyVariables, readVariables } from '#src/config/environment.ts'
import { readJsonFile } from '#src/config/jsonFile.ts'
import { readSigner } from '#src/config/keys/readSigner.ts'
import { toKeySource } from '#src/config/keys/signer.ts'
import { withPresets } from '#src/config/presets/withPresets.ts'
import { address } from '#src/config/values.ts'
import { nativeAddress } from '#src/core/units/address.ts'
import type { VmType } from '#src/core/units/vmType.ts'
import { deployContracts } from './deployContracts.ts'
import { limitedCurrencies } from './outflowLimits.ts'

const command = {
  usage: 'npm run deploy -- --config <file> --chain <id> [--write] [--devnet]',
  help: `
Deploys our contracts on a chain, or finds them there, and prints their addresses.

  --config FILE  the configuration
  --chain ID     the chain
  --write        writes the addresses into the configuration
  --devnet       lets a plain account own the contracts

Variables: OWNER, ALLOCATOR, GUARDIAN; DEPLOYER_PRIVATE_KEY, DEPLOYER_KEYSTORE or DEPLOYER_SIGNER_URL. On a Solana
chain: OWNER, ALLOCATOR; DEPLOYER_SVM_KEYPAIR and PROGRAM_SVM_KEYPAIR, which are paths of key files.`,
  options: {
    config: { type: 'string' },
    chain: { type: 'string' },
    write: { type: 'boolean', default: false },
    devnet: { type: 'boolean', default: false },
  },
} as const

type Given = Readonly<{
  config?: string | undefined
  chain?: string | undefined
  write: boolean
  devnet: boolean
}>

/** `npm run deploy -- --config <file> --chain <id> [--write] [--devnet]`: see docs/contracts.md. */
async function deploy({ config: path, chain: id, write, devnet }: Given): Promise<void> {
  if (path === undefined || id === undefined) throw new UsageError()
  const config = readConfig(path)
  const { chains, svmChains, solver } = config
  const report = (line: string) => process.stderr.write(`${line}\n`)
  const svmChain = svmChains.find((each) => String(each.id) === id)
  if (svmChain !== undefined) {
    const { deploySvm } = await import('./svm/deploySvm.ts')
    const program = await deploySvm(config, svmChain, { variables: process.env, devnet, report })
    process.stdout.write(`${JSON.stringify({ program }, null, 2)}\n`)
    const at = placesOf(path, 'svm')[svmChains.indexOf(svmChain)]
    if (write && at !== undefined) writeKey(path, ['chains', at, 'program'], program)
    return
  }
  const chain = chains.find((each) => String(each.id) === id)
  if (chain === undefined) {
    const known = [...chains, ...svmChains]
      .map((each) => `${each.id} (${each.displayName})`)
      .join(', ')
    throw new Error(`${path} does not configure chain ${id}; it has ${known}`)
  }
  const environment = readDeployEnvironment(process.env)
  const owner = environment.OWNER ?? (devnet ? solver.address : undefined)
  if (owner === undefined)
    throw new Error('Set OWNER to the contract that names the other roles, such as a multisig.')
  const contracts = await deployContracts({
    chain,
    account: await readSigner('deployer', environment.deployer),
    roles: {
      owner,
      allocator: environment.ALLOCATOR ?? solver.allocator ?? solver.address,
      guardian: environment.GUARDIAN ?? nativeAddress,
      payee: solver.address,
    },
    allowsPlainOwner: devnet,
    limited: limitedCurrencies(config, chain),
    report,
  })
  process.stdout.write(`${JSON.stringify({ contracts }, null, 2)}\n`)
  const at = placesOf(path, 'evm')[chains.indexOf(chain)]
  if (write && at !== undefined) writeKey(path, ['chains', at, 'contracts'], contracts)
}

/** The places of the chains of a virtual machine in the list of the file, which may mix them. */
function placesOf(path: string, vmType: VmType): readonly number[] {
  const { chains } = withPresets(readJsonFile(path).value) as {
    chains: readonly Readonly<{ vmType?: string }>[]
  }
  const isSvm = chains.map((each) => each.vmType === 'svm')
  return chains.flatMap((_, at) => (isSvm[at] === (vmType === 'svm') ? [at] : []))
}

/** Sets a key of the configuration file. The rest of the text stays as it is, comments included. */
function writeKey(path: string, key: (string | number)[], value: object | string): void {
  const text = readFileSync(path, 'utf8')
  const formattingOptions = { insertSpaces: true, tabSize: 2 }
  const edits = modify(text, key, value, { formattingOptions })
  writeFileSync(path, applyEdits(text, edits))
}

const schema = z
  .object({
    /** The account that pays for the deployment: its key, a keystore file with its password, or a remote signer. */
    ...keyVariables('DEPLOYER'),
    /** The contract that names the other roles, such as a multisig. */
    OWNER: address.optional(),
    /** The account whose signatures move deposits. The configured one by default. */
    ALLOCATOR: address.optional(),
    /** The account that can pause payouts. Nobody by default. */
    GUARDIAN: address.optional(),
  })
  .transform((variables, context) => {
    const { OWNER, ALLOCATOR, GUARDIAN } = variables
    const refuse = (path: keyof typeof variables, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message })
    checkKeySource('DEPLOYER', variables, refuse)
    const deployer = toKeySource({
      privateKey: variables.DEPLOYER_PRIVATE_KEY,
      keystore: variables.DEPLOYER_KEYSTORE,
      password: variables.DEPLOYER_KEYSTORE_PASSWORD,
      signerUrl: variables.DEPLOYER_SIGNER_URL,
    })
    if (deployer !== undefined) return { deployer, OWNER, ALLOCATOR, GUARDIAN }
    refuse(
      'DEPLOYER_PRIVATE_KEY',
      'set it, DEPLOYER_KEYSTORE or DEPLOYER_SIGNER_URL: the key of the account that pays for the deployment',
    )
    return z.NEVER
  })

/** @throws Error as `readVariables` does. */
const readDeployEnvironment = (
  variables: Parameters<typeof readVariables>[1],
): z.output<typeof schema> => readVariables(schema, variables)

await runCommand(command, async ({ values }) => {
  await deploy(values)
})
