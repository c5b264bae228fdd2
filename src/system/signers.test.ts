import { expect, it } from 'vitest'
import { parseConfig } from '#src/config/config.ts'
import { readEnvironment } from '#src/config/environment.ts'
import { solver, users } from '#src/devnet/accounts.ts'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { startWeb3Signer } from '#test/support/clients/web3Signer.ts'
import { readSigners } from './signers.ts'

const [allocator] = users
const [example] = codeBlocks('json', ['docs/configuration.md'])

/** Reads the signers under a configuration that names the devnet's solver. */
async function signersOf(
  variables: Readonly<Record<string, string>>,
  named: Readonly<{ allocator?: string }> = {},
) {
  const input = {
    ...JSON.parse(example?.text ?? ''),
    solver: { ...named, address: solver.address },
  }
  const config = parseConfig(input, 'the example')
  const environment = readEnvironment(variables)
  const signers = await readSigners({ solver: config.solver }, environment)
  return [signers.account.address, signers.allocator.address].map((each) => each.toLowerCase())
}

const solverKey = { SOLVER_PRIVATE_KEY: solver.privateKey }

it('signs payouts with the solver’s key, unless the configuration names another allocator', async () => {
  expect(await signersOf(solverKey)).toEqual([solver.address, solver.address])
  const own = { ...solverKey, ALLOCATOR_PRIVATE_KEY: allocator.privateKey }
  const named = { allocator: allocator.address }
  expect(await signersOf(own, named)).toEqual([solver.address, allocator.address])
})

it('takes one remote signer for both', async () => {
  const { url, stop } = await startWeb3Signer([solver, allocator])
  const variables = { SOLVER_SIGNER_URL: url, ALLOCATOR_SIGNER_URL: url }
  expect(await signersOf(variables, { allocator: allocator.address })).toEqual([
    solver.address,
    allocator.address,
  ])
  await stop()
})

it('says how to fix a key that is missing, in excess or of another account', async () => {
  const own = { ...solverKey, ALLOCATOR_PRIVATE_KEY: allocator.privateKey }
  const message = (...args: Parameters<typeof signersOf>) =>
    signersOf(...args).catch((error: Error) => error.message)
  expect(await message({})).toMatch(/^The solver has no key: set SOLVER_PRIVATE_KEY, SOLVER_/)
  expect(await message(solverKey, { allocator: allocator.address })).toMatch(
    /^The allocator has no key: set ALLOCATOR_PRIVATE_KEY, /,
  )
  expect(await message(own)).toMatch(/: set solver.allocator, or leave the key out.$/)
  expect(await message(own, { allocator: users[1].address })).toBe(
    `The allocator’s key cannot be used (ALLOCATOR_PRIVATE_KEY): it belongs to ${allocator.address}, but the configuration names ${users[1].address} as the allocator`,
  )
})
