import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSvmClient, type SvmClient } from '#src/chains/svm/svmClient.ts'
import { deploySvmProgram } from '#src/cli/deploy/svm/deploySvmProgram.ts'
import { readConfig } from '#src/config/config.ts'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import type { Pubkey } from '#src/core/units/svm/pubkey.ts'
import { type Devnet, startDevnet } from '#src/devnet/startDevnet.ts'
import { type SvmDevnetSigner, svmOwner, svmSigner } from '#src/devnet/svm/svmAccounts.ts'
import {
  configAddress,
  programDataAddress,
  vaultAddress,
} from '#src/protocol/svm/depository/depositoryAddresses.ts'
import { decodeDepositoryConfig } from '#src/protocol/svm/depository/depositoryState.ts'
import { decodeProgramData } from '#src/protocol/svm/programData.ts'
import { checkConfig } from '#src/system/check/checkConfig.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'
import { silentLog } from '#test/support/store/storeHome.ts'

const directory = mkdtempSync(join(tmpdir(), 'deploySvm-'))
const config = join(directory, 'crossquote.json')
let devnet: Devnet
beforeAll(async () => {
  const args = { log: silentLog, directory, chainIds: [990001], pools: [], hasSvm: true }
  devnet = await startDevnet({ ...args, firstPort: 0 })
  writeConfig()
})
afterAll(async () => {
  await devnet.stop()
  rmSync(directory, { recursive: true, force: true })
})

/** The configuration before the deployment. The Solana chain comes first, as in no list of chains by machine. */
function writeConfig(): void {
  const { svmChains = [], chains, ...rest } = devnet.config
  const undeployed = svmChains.map(({ program: _, ...chain }) => chain)
  writeFileSync(config, JSON.stringify({ chains: [...undeployed, ...chains], ...rest }))
}

function keyFile(name: string, { account }: SvmDevnetSigner): string {
  const path = join(directory, `${name}.json`)
  writeFileSync(path, JSON.stringify([...decodeBase58(account.privateKey)]))
  return path
}

async function deploy(program: SvmDevnetSigner, options: readonly string[], owner?: Pubkey) {
  const variables = {
    DEPLOYER_SVM_KEYPAIR: keyFile('deployer', svmOwner),
    PROGRAM_SVM_KEYPAIR: keyFile('program', program),
    ...(owner && { OWNER: owner }),
  }
  const args = ['src/cli/deploy/deploy.ts', '--config', config, '--chain', '990004', ...options]
  const child = spawn(process.execPath, args, { env: { ...quickStart, ...variables } })
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, problems }
}

async function withClient<Value>(act: (client: SvmClient) => Promise<Value>): Promise<Value> {
  const [chain] = readConfig(config).svmChains
  if (chain === undefined) throw new Error('The configuration has a Solana chain')
  const client = createSvmClient(chain, silentLog)
  try {
    return await act(client)
  } finally {
    client.close()
  }
}

/** The owner of a program, and who may upgrade it. */
const ownersOf = (program: Pubkey) =>
  withClient(async (client) => {
    const asked = [configAddress(program), programDataAddress(program)]
    const { accounts } = await client.getAccounts(asked, 'confirmed')
    const [set, data] = accounts
    return [
      set && decodeDepositoryConfig(program, set)?.owner,
      data && decodeProgramData(data)?.upgradeAuthority,
    ]
  })

/** What the transactions that name an account have paid for priority, in lamports. */
const prioritiesOf = (account: Pubkey) =>
  withClient(async (client) => {
    const history = await client.getHistory(account, { slot: 0n })
    const found = history.map(({ signature }) => client.getTransaction(signature, 'confirmed'))
    return (await Promise.all(found)).map((each) => (each?.fee ?? 0n) % 5_000n)
  })

test('the script deploys the program once, sets it up, and writes it into the configuration', async () => {
  const program = svmSigner('first program')
  const first = await deploy(program, ['--devnet', '--write'])
  expect(first.problems.replaceAll(program.pubkey, 'the program')).toMatchInlineSnapshot(`
    "creating a buffer
    writing 21 parts of the program
    deploying the program to the program
    initializing the program
    opening the program for 11111111111111111111111111111111, HitZZtab6PCtXwQG5EQXH4SKkqgtPWZVkuFFrkzoss4b, 4pJ8Qcs64xu89LwVDMdeVhvoLqsPabSBnrmMNVU3BfRM
    "
  `)
  expect(JSON.parse(first.output)).toEqual({ program: program.pubkey })
  const written = readConfig(config)
  expect(written.svmChains.map((chain) => chain.program)).toEqual([program.pubkey])
  expect(written.chains).toHaveLength(1)

  const deps = { log: silentLog, now: Date.now }
  const reports = await checkConfig(deps, written, 60, [])
  const faults = reports.flatMap(({ facts }) => facts.filter(({ state }) => state !== 'ok'))
  expect(faults).toEqual([])
  expect(await ownersOf(program.pubkey)).toEqual([svmOwner.pubkey, svmOwner.pubkey])
  const priorities = await prioritiesOf(program.pubkey)
  expect(priorities.length).toBeGreaterThan(0)
  expect(priorities.every((each) => each > 0n)).toBe(true)

  expect(await deploy(program, ['--devnet'])).toEqual({ output: first.output, problems: '' })
  expect(JSON.parse(readFileSync(config, 'utf8')).chains[0].program).toBe(program.pubkey)
  writeConfig()
})

test('the script hands the program over to its owner, who alone may upgrade it', async () => {
  const program = svmSigner('second program')
  // An account without a key, as that of a multisig.
  const owner = vaultAddress(svmOwner.pubkey)
  const { problems } = await deploy(program, [], owner)
  expect(problems).toContain(`handing the program over to ${owner}`)
  expect(await ownersOf(program.pubkey)).toEqual([owner, owner])
  expect((await deploy(program, [], owner)).problems).toBe('')
  const other = await deploy(program, [], vaultAddress(program.pubkey))
  expect(other.problems).toContain(`The program belongs to ${owner}`)
})

test('the script continues what an earlier run has begun', async () => {
  const program = svmSigner('fourth program')
  const [chain] = readConfig(config).svmChains
  const { svm } = readConfig(config).solver
  if (chain === undefined || svm === undefined) throw new Error('The configuration has both')
  const client = createSvmClient(chain, silentLog)
  const code = readFileSync('src/protocol/svm/program/depository.so')
  const roles = { owner: svmOwner.pubkey, allocator: svm.address, payee: svm.address }
  const interrupted = deploySvmProgram({
    ...{ client, payer: svmOwner, program, code, roles, limits: [] },
    report: (line) => {
      if (line.startsWith('deploying')) throw new Error('interrupted')
    },
  })
  await expect(interrupted).rejects.toThrow('interrupted')
  client.close()
  const { problems } = await deploy(program, ['--devnet'])
  expect(problems.split('\n').map((line) => line.split(' ')[0])).toEqual([
    'deploying',
    'initializing',
    'opening',
    '',
  ])
})

test('the script refuses a plain key as the owner, and a key file that is none', async () => {
  const program = svmSigner('third program')
  const plain = await deploy(program, [], svmOwner.pubkey)
  expect(plain.problems).toContain(`OWNER ${svmOwner.pubkey} is a plain key`)
  const none = await deploy(program, [])
  expect(none.problems).toContain('Set OWNER to the account that names the other roles')
  const wrong = { ...svmOwner, account: { ...svmOwner.account, privateKey: '111' } }
  const { problems } = await deploy(wrong, ['--devnet'])
  expect(problems).toContain('A key file is a JSON list of 64 bytes')
})
