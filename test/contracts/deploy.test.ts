import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { zeroHash } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { approvalProxy } from '#src/contracts/artifacts/approvalProxy.ts'
import { depository } from '#src/contracts/artifacts/depository.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { type AnvilClient, createAnvilClient } from '#src/devnet/chain/anvilClient.ts'
import { type Anvil, startAnvil } from '#src/devnet/chain/anvilProcess.ts'
import type { Address } from '#src/units/address.ts'

const directory = mkdtempSync(join(tmpdir(), 'deploy-'))
const config = join(directory, 'crossquote.json')
const deployer = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
const [payer, owner] = users

let anvil: Anvil
let client: AnvilClient
beforeAll(async () => {
  anvil = await startAnvil({ chainId: 990010 })
  client = createAnvilClient(anvil.rpcUrl)
  writeConfig(990010)
})
afterAll(async () => {
  await anvil?.stop()
  rmSync(directory, { recursive: true, force: true })
})

function writeConfig(id: number): void {
  const factory = owner.address
  const chain = {
    id,
    name: 'test',
    displayName: 'Test Chain',
    rpcUrls: [anvil.rpcUrl],
    nativeCurrency: { symbol: 'ETH', name: 'Ether' },
    wrappedNative: owner.address,
    factories: [{ kind: 'concentrated', source: 'uniswap-v3', factory }],
  }
  writeFileSync(config, JSON.stringify({ chains: [chain], solver: { address: solver.address } }))
}

type Variables = Readonly<Record<string, string>>

/** Runs the deployment script as an operator does. */
async function deploy(
  variables: Variables = { DEPLOYER_PRIVATE_KEY: payer.privateKey },
  args: readonly string[] = ['--config', config, '--chain', '990010'],
) {
  const child = spawn(process.execPath, ['src/deploy.ts', ...args], { env: variables })
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { output, problems }
}

test('the script deploys every contract once, configured as requested', async () => {
  const variables = { DEPLOYER_PRIVATE_KEY: payer.privateKey, OWNER: owner.address }
  const first = await deploy(variables)
  const { contracts } = JSON.parse(first.output) as { contracts: Record<string, Address> }
  expect(Object.keys(contracts)).toEqual(['depository', 'router', 'approvalProxy'])
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
  expect(roles.map((each) => each.toLowerCase())).toEqual([owner.address, solver.address, routerAt])

  const sent = await client.getTransactionCount({ address: payer.address })
  expect(sent).toBe(3)
  const second = await deploy(variables)
  expect(second.output).toBe(first.output)
  expect(second.problems.match(/is already deployed at/g)).toHaveLength(3)
  expect(await client.getTransactionCount({ address: payer.address })).toBe(sent)
})

test('the script deploys only the missing contracts', async () => {
  const variables = { DEPLOYER_PRIVATE_KEY: payer.privateKey, ALLOCATOR: owner.address }
  const { problems } = await deploy(variables)
  // A different allocator changes the depository’s address only.
  expect(problems.match(/deploying/g)).toHaveLength(1)
  expect(problems.match(/is already deployed at/g)).toHaveLength(2)
})

const key = { DEPLOYER_PRIVATE_KEY: payer.privateKey }
test.each<[string, Variables, readonly string[], RegExp]>([
  ['no key', {}, [], /DEPLOYER_PRIVATE_KEY/],
  ['a key that is none', { DEPLOYER_PRIVATE_KEY: '0x12345' }, [], /64 hexadecimal digits/],
  ['a wrong address', { ...key, OWNER: '0x12' }, [], /OWNER: An address is/],
  ['an unknown chain', key, ['--config', config, '--chain', '7'], /it has 990010 \(Test Chain\)/],
  ['no chain', key, ['--config', config], /Usage/],
])('the script fails with a clear error for %s', async (_, variables, args, expected) => {
  const { output, problems } = await deploy(variables, args.length === 0 ? undefined : args)
  expect(problems).toMatch(expected)
  expect(problems).not.toContain('12345')
  expect(output).toBe('')
})

test('the script fails with a clear error for missing funds, a missing CREATE2 deployer and a wrong chain', async () => {
  const poor = { DEPLOYER_PRIVATE_KEY: `0x${'07'.repeat(32)}`, OWNER: payer.address }
  expect((await deploy(poor)).problems).toMatch(/holds 0 ETH on Test Chain: too little/)

  const bytecode = (await client.getCode({ address: deployer })) ?? zeroHash
  await client.setCode({ address: deployer, bytecode: '0x' })
  const other = { ...key, OWNER: payer.address }
  expect((await deploy(other)).problems).toMatch(/has no deterministic deployer at 0x4e59/)
  await client.setCode({ address: deployer, bytecode })

  writeConfig(990011)
  const wrong = await deploy(key, ['--config', config, '--chain', '990011'])
  expect(wrong.problems).toMatch(/belong to chain 990010, not to chain 990011/)
})
