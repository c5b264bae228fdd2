import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Config } from '#src/config/config.ts'
import { decodeBase58 } from '#src/core/units/svm/base58.ts'
import { svmAllocator, svmSolver } from '#src/devnet/svm/svmAccounts.ts'
import { readSvmSigners } from './svmSigners.ts'

const configOf = (svm: object | undefined, program: string | undefined = svmSolver.pubkey) =>
  ({ svmChains: [{ program }], solver: { svm } }) as unknown as Config
const named = { address: svmSolver.pubkey, allocator: svmAllocator.pubkey }

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'svmKeys-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

function write(name: string, text: string): string {
  const path = join(directory, name)
  writeFileSync(path, text)
  return path
}
const fileOf = (name: string, { account }: typeof svmSolver) =>
  write(name, JSON.stringify([...decodeBase58(account.privateKey)]))

it('reads key files as solana-keygen writes them', () => {
  const files = {
    SOLVER_SVM_KEYPAIR: fileOf('solver.json', svmSolver),
    ALLOCATOR_SVM_KEYPAIR: fileOf('allocator.json', svmAllocator),
  }
  const signers = readSvmSigners(configOf(named), files)
  expect(signers?.account.pubkey).toBe(svmSolver.pubkey)
  expect(signers?.allocator.pubkey).toBe(svmAllocator.pubkey)
  const alone = { address: svmSolver.pubkey }
  const { SOLVER_SVM_KEYPAIR } = files
  expect(readSvmSigners(configOf(alone), { SOLVER_SVM_KEYPAIR })?.allocator.pubkey).toBe(
    svmSolver.pubkey,
  )
  expect(readSvmSigners(configOf(undefined), {})).toBeUndefined()
  expect(readSvmSigners({ ...configOf(named), svmChains: [] }, {})).toBeUndefined()
})

it('takes the keys of the devnet only for its accounts', () => {
  expect(readSvmSigners(configOf(named), {}, [svmSolver, svmAllocator])?.allocator.pubkey).toBe(
    svmAllocator.pubkey,
  )
  expect(() => readSvmSigners(configOf(named), {}, [svmSolver])).toThrow('ALLOCATOR_SVM_KEYPAIR')
})

it('names the variable of an unusable file, and no key', () => {
  const messages = (path: string, svm: object = named) => {
    try {
      readSvmSigners(configOf(svm), { SOLVER_SVM_KEYPAIR: path }, [svmAllocator])
      return 'taken'
    } catch (error) {
      return (error as Error).message.replaceAll(directory, '<directory>')
    }
  }
  const [first, ...rest] = decodeBase58(svmSolver.account.privateKey)
  const broken = write('broken.json', JSON.stringify([...rest, first]))
  expect([
    messages(join(directory, 'none.json')),
    messages(broken),
    messages(write('text.json', svmSolver.account.privateKey)),
    messages(fileOf('other.json', svmAllocator)),
  ]).toMatchInlineSnapshot(`
    [
      "SOLVER_SVM_KEYPAIR: the key file <directory>/none.json cannot be read (ENOENT)",
      "SOLVER_SVM_KEYPAIR: <directory>/broken.json is no key file: it must be a JSON list of 64 bytes",
      "SOLVER_SVM_KEYPAIR: <directory>/text.json is no key file: it must be a JSON list of 64 bytes",
      "SOLVER_SVM_KEYPAIR: it is the key of BVBprwRtn1eaZwTc3URe2y6Waf11oJxYefKCg7DDMp6j, but the configuration names E2QQxpPwLAwdPinvatATMZ3RSUSPpVwi7MmR6cqjTBqk",
    ]
  `)
})
