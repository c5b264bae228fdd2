import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeBlocks, readDocument } from '#test/support/clients/documents.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'

const directory = mkdtempSync(join(tmpdir(), 'readme-'))

let stack: Stack
beforeAll(async () => {
  stack = await startStack({}, ['gateway', 'tracker', 'solver'])
})
afterAll(async () => {
  await stack.stop()
  rmSync(directory, { recursive: true })
})

const blockOf = (language: string, containing = ''): string => {
  const block = codeBlocks(language, ['README.md']).find(({ text }) => text.includes(containing))
  if (block === undefined) throw new Error(`README has no ${language} block with ${containing}`)
  return block.text
}

/** The keys of a JSON value, and the types of its leaves. */
const shapeOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shapeOf(member)]))
    : typeof value

/** Runs a block of the README unchanged, except for the URLs of the gateway and the chain. */
async function runInShell(script: string): Promise<string> {
  const [chain] = stack.devnet.description.chains
  const text = script
    .replaceAll('http://localhost:4000', stack.url)
    .replaceAll('http://localhost:18545', chain?.rpcUrl ?? '')
  const child = spawn('bash', ['-ec', text], { cwd: directory, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk
    })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`The shell ended with ${code}:\n${output}`)
  return output
}

describe('README', () => {
  it('is short enough to be read', () => {
    expect(readDocument('README.md').split(/\s+/).length).toBeLessThanOrEqual(1_300)
  })

  it('shows a first query that works, with an answer of that shape', async () => {
    const answer = await stack.query(blockOf('graphql'))
    expect(answer.errors).toBeUndefined()
    expect(shapeOf(answer)).toEqual(shapeOf(JSON.parse(blockOf('json'))))
  })

  it('shows a sequence of curl calls that ends in success', async () => {
    const output = await runInShell(blockOf('sh', 'eth_sendTransaction'))
    const statuses = [...output.matchAll(/"status":"(\w+)"/g)].map(([, status]) => status)
    expect(statuses.at(-1)).toBe('success')
  })
})
