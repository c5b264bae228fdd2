import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as Keystore from 'ox/Keystore'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { planDeployment } from '#src/cli/deploy/deployContracts.ts'
import { type Address, nativeAddress, toAddress } from '#src/core/units/address.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import {
  type Anvil,
  type AnvilClient,
  createAnvilClient,
  startAnvil,
} from '#src/devnet/chain/anvilProcess.ts'
import { approvalProxy } from '#src/protocol/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/protocol/contracts/artifacts/depository.ts'
import { startWeb3Signer } from '#test/support/clients/web3Signer.ts'
import { quickStart } from '#test/support/processes/quickStart.ts'

const directory = mkdtempSync(join(tmpdir(), 'deploy-'))
const config = join(directory, 'crossquote.json')
const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const [payer, owner] = users
/** A contract, so that it may own the depository. */
const multisig = toAddress(`0x${'5a'.repeat(20)}`)

let anvil: Anvil
let client: AnvilClient
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 990010 })
  client = createAnvilClient(anvil.rpcUrl)
  await client.setCode({ address: multisig, bytecode: '0x00' })
  writeConfig(990010)
})
afterAll(async () => {
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

function writeConfig(id: number, rpcUrl = anvil.rpcUrl): void {
  const factory = owner.address
  const chain = {
    id,
    name: 'test',
    displayName: 'Test Chain',
    rpcUrls: [rpcUrl],
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: owner.address,
    factories: [{ kind: 'concentrated', source: 'uniswap-v3', factory }],
    allowPoolPrices: true,
  }
  writeFileSync(config, JSON.stringify({ chains: [chain], solver: { address: solver.address } }))
}

type Variables = Readonly<Record<string, string>>

/** Runs the deployment script as an operator does. */
async function deploy(
  variables: Variables = { DEPLOYER_PRIVATE_KEY: payer.privateKey },
  args: readonly string[] = ['--config', config, '--chain', '990010'],
) {
  return run('src/cli/deploy/deploy.ts', args, variables)
}

async function run(script: string, args: readonly string[], variables: Variables) {
  const child = spawn(process.execPath, [script, ...args], { env: { ...quickStart, ...variables } })
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, problems }
}

test('the script deploys every contract once, configured as requested', async () => {
  const variables = { DEPLOYER_PRIVATE_KEY: payer.privateKey, OWNER: multisig }
  const first = await deploy(variables)
  const { contracts } = JSON.parse(first.output) as { contracts: Record<string, Address> }
  expect(Object.keys(contracts)).toEqual([
    'depository',
    'router',
    'approvalProxy',
    'depositAddressFactory',
  ])
  const [depositoryAt = '0x', routerAt = '0x', proxyAt = '0x'] = [
    contracts['depository'],
    contracts['router'],
    contracts['approvalProxy'],
  ]
  const held = { address: depositoryAt, abi: depository.abi } as const
  const roles = [
    await client.readContract({ ...held, functionName: 'owner' }),
    await client.readContract({ ...held, functionName: 'allocator' }),
    await client.readContract({ address: proxyAt, abi: approvalProxy.abi, functionName: 'router' }),
  ]
  expect(roles.map((each) => each.toLowerCase())).toEqual([multisig, solver.address, routerAt])
  const payee = { ...held, functionName: 'payeeSince', args: [solver.address] } as const
  expect(await client.readContract(payee)).toBeGreaterThan(0n)
  expect(first.problems).toMatch(/the depository does not have the name \S+ of its chain/)
  // The configuration has no price feed, so the script can propose no limits.
  expect(first.problems).toMatch(/the owner must choose outflow limits for 0x0000/)

  const sent = await client.getTransactionCount({ address: payer.address })
  // The approval proxy deploys the router.
  expect(sent).toBe(3)
  const second = await deploy(variables)
  expect(second.output).toBe(first.output)
  expect(second.problems.match(/is already deployed at/g)).toHaveLength(3)
  expect(await client.getTransactionCount({ address: payer.address })).toBe(sent)
})

test('the script writes the contracts into the configuration if asked to', async () => {
  const args = ['--config', config, '--chain', '990010', '--write']
  const { output } = await deploy({ ...key, OWNER: multisig }, args)
  const { chains } = JSON.parse(readFileSync(config, 'utf8'))
  expect(chains[0].contracts).toEqual(JSON.parse(output).contracts)
  writeConfig(990010)
})

test('the script deploys only the missing contracts', async () => {
  const { address: ALLOCATOR } = owner
  const variables = { ...key, OWNER: multisig, ALLOCATOR }
  const roles = { owner: multisig, allocator: ALLOCATOR, guardian: nativeAddress }
  const plan = planDeployment({ ...roles, payee: solver.address })
  const { data } = plan.depository
  await client.sendTransaction({ account: payer.address, chain: null, to: deployer, data })
  const { problems } = await deploy(variables)
  expect(problems.match(/deploying approvalProxy/g)).toHaveLength(1)
  expect(problems.match(/depository is already deployed at/g)).toHaveLength(1)
})

test('the script takes the key from a keystore or a remote signer, which pays for the deployment', async () => {
  const password = 'correct horse battery staple'
  const [derived, options] = Keystore.scrypt({ password, n: 1024 })
  const path = join(directory, 'deployer.json')
  writeFileSync(path, JSON.stringify(Keystore.encrypt(payer.privateKey, derived, options)))
  const keystore = { DEPLOYER_KEYSTORE: path, DEPLOYER_KEYSTORE_PASSWORD: password }
  const web3Signer = await startWeb3Signer([payer])
  onTestFinished(web3Signer.stop)
  const sources = [keystore, { DEPLOYER_SIGNER_URL: web3Signer.url }]
  for (const [at, source] of sources.entries()) {
    const sent = await client.getTransactionCount({ address: payer.address })
    const GUARDIAN = `0x${`${at}`.repeat(39)}9`
    const { output, problems } = await deploy({ ...source, OWNER: multisig, GUARDIAN })
    expect(problems.match(/deploying /g)).toHaveLength(3)
    expect(JSON.parse(output)).toHaveProperty('contracts.router')
    expect(await client.getTransactionCount({ address: payer.address })).toBe(sent + 3)
  }
  const wrong = { ...keystore, OWNER: multisig, DEPLOYER_KEYSTORE_PASSWORD: 'open sesame' }
  const { problems } = await deploy(wrong)
  expect(problems).toMatch(/deployer’s key cannot be used \(DEPLOYER_KEYSTORE\): .* does not open/)
  expect(problems).not.toMatch(/open sesame|correct horse/)
})

const key = { DEPLOYER_PRIVATE_KEY: payer.privateKey }
test.each<[string, Variables, readonly string[], RegExp]>([
  ['no key', {}, [], /DEPLOYER_PRIVATE_KEY: set it, DEPLOYER_KEYSTORE or DEPLOYER_SIGNER_URL/],
  ['two keys', { ...key, DEPLOYER_KEYSTORE: config }, [], /DEPLOYER_PRIVATE_KEY is set too/],
  ['a password without its keystore', { ...key, DEPLOYER_KEYSTORE_PASSWORD: 'a' }, [], /needs DEP/],
  ['a key that is none', { DEPLOYER_PRIVATE_KEY: '0x12345' }, [], /64 hexadecimal digits/],
  ['a wrong address', { ...key, OWNER: '0x12' }, [], /OWNER: An address is/],
  ['no owner', key, [], /Set OWNER to the contract/],
  ['a plain key as owner', { ...key, OWNER: owner.address }, [], /is a plain key on this chain/],
  ['one account as owner and allocator', { ...key, OWNER: solver.address }, [], /both owner and/],
  ['an unknown chain', key, ['--config', config, '--chain', '7'], /it has 990010 \(Test Chain\)/],
  ['no chain', key, ['--config', config], /Usage/],
])('the script fails with a clear error for %s', async (_, variables, args, expected) => {
  const { output, problems } = await deploy(variables, args.length === 0 ? undefined : args)
  expect(problems).toMatch(expected)
  expect(problems).not.toContain('12345')
  expect(output).toBe('')
})

test('the script fails with a clear error for missing funds, a missing CREATE2 deployer and a wrong chain', async () => {
  const poor = {
    DEPLOYER_PRIVATE_KEY: `0x${'07'.repeat(32)}`,
    OWNER: multisig,
    GUARDIAN: owner.address,
  }
  expect((await deploy(poor)).problems).toMatch(/holds 0 ETH on Test Chain: too little/)

  const bytecode = (await client.getCode({ address: deployer })) ?? zeroHash
  await client.setCode({ address: deployer, bytecode: '0x' })
  const other = { ...key, OWNER: multisig, GUARDIAN: payer.address }
  expect((await deploy(other)).problems).toMatch(/has no deterministic deployer at 0x4e59/)
  await client.setCode({ address: deployer, bytecode })

  writeConfig(990011)
  const wrong = await deploy({ ...key, OWNER: multisig }, ['--config', config, '--chain', '990011'])
  expect(wrong.problems).toMatch(/belong to chain 990010, not to chain 990011/)
})

test('deploying and sweeping name no key of an endpoint that fails', async () => {
  const failing = createServer((request, response) => {
    response.statusCode = 500
    response.end(request.url)
  }).listen(0, '127.0.0.1')
  await once(failing, 'listening')
  const { port } = failing.address() as AddressInfo
  const rpcUrl = `http://127.0.0.1:${port}/v2/secretKeyOfTheProvider`
  onTestFinished(() => {
    failing.close()
    writeConfig(990010)
  })
  writeConfig(990010, rpcUrl)
  const { problems } = await deploy({ DEPLOYER_PRIVATE_KEY: payer.privateKey, OWNER: multisig })
  const args = [
    '--rpc',
    rpcUrl,
    '--factory',
    multisig,
    '--order',
    zeroHash,
    '--depositor',
    multisig,
  ]
  const swept = await run('src/cli/sweep/sweep.ts', args, {})
  for (const each of [problems, swept.problems]) {
    expect(each).toMatch(/HTTP 500/)
    expect(each).not.toMatch(/secretKey/)
  }
})
