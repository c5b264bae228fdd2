import { expect, it } from 'vitest'
import { relayer, solver, users } from '#src/devnet/accounts.ts'
import { readSigners } from '#src/system/signers.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { parseConfig } from './config.ts'
import { readEnvironment } from './environment.ts'

const [allocator, identity] = users
const [example] = codeBlocks('json', ['docs/configuration.md'])
const depository = `0x${'d'.repeat(40)}`
const given = JSON.parse(example?.text ?? '')
const contracts = { depository, router: depository, approvalProxy: depository }
const plain = { ...given, chains: [{ ...given.chains[0], contracts }, ...given.chains.slice(1)] }

const problemOf = (address: string): string => {
  const named = { allocator: allocator.address, identity: identity.address }
  const input = { ...plain, solver: { address: solver.address, ...named }, relayer: { address } }
  try {
    parseConfig(input, 'the example')
    return ''
  } catch (error) {
    return (error as Error).message.split('\n')[1] ?? ''
  }
}

it('refuses an account that has another role', () => {
  expect(problemOf(relayer.address)).toBe('')
  const trusted = {
    [solver.address]: 'the solver',
    [allocator.address]: 'solver.allocator',
    [identity.address]: 'solver.identity',
    [depository]: 'a contract of this gateway',
    [`0x${'0'.repeat(40)}`]: 'the zero address',
  }
  for (const [address, name] of Object.entries(trusted))
    expect(problemOf(address)).toMatch(`  relayer.address: is ${name}: the relayer sends calldata`)
})

it('needs its own key if the configuration names a relayer, and no other key', async () => {
  const solverKey = { SOLVER_PRIVATE_KEY: solver.privateKey }
  const read = (variables: Record<string, string>, named?: string) =>
    readSigners(
      {
        solver: { address: solver.address },
        ...(named !== undefined && { relayer: { address: relayer.address } }),
      },
      readEnvironment(variables),
    ).then(
      (signers) => signers.relayer?.address.toLowerCase(),
      (error: Error) => error.message,
    )
  const own = { ...solverKey, RELAYER_PRIVATE_KEY: relayer.privateKey }
  expect(await read(own, relayer.address)).toBe(relayer.address)
  expect(await read(solverKey)).toBe(undefined)
  expect(await read(solverKey, relayer.address)).toMatch(
    /^The relayer has no key: set RELAYER_PRIVATE_KEY, /,
  )
  expect(await read(own)).toMatch(/set relayer.address, or leave the key out.$/)
  const other = { ...solverKey, RELAYER_PRIVATE_KEY: solver.privateKey }
  const message = await read(other, relayer.address)
  expect(message).toMatch(/^The relayer’s key cannot be used \(RELAYER_PRIVATE_KEY\)/)
  expect(message).not.toContain(solver.privateKey)
})
