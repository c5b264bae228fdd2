import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'
import { type Stack, startStack } from '#test/support/gateways/stack.ts'
import { runDemoProcess } from '#test/support/processes/demoProcess.ts'

const directory = mkdtempSync(join(tmpdir(), 'demos-'))
const devnetPath = join(directory, 'devnet.json')

let stack: Stack
beforeAll(async () => {
  stack = await startStack({}, ['gateway', 'tracker', 'solver'], undefined, { hasSvm: true })
  writeFileSync(devnetPath, JSON.stringify(stack.devnet.description))
})
afterAll(async () => {
  await stack.stop()
  rmSync(directory, { recursive: true })
})

it('the README shows demos that run to the end', async () => {
  const block = codeBlocks('sh', ['README.md']).find(({ text }) => text.includes('npm run demo'))
  const lines = (block?.text ?? '').split('\n').filter((line) => line.startsWith('npm run demo'))
  expect(lines.length).toBeGreaterThan(4)
  for (const line of lines) {
    const args = line
      .replace(/#.*$/, '')
      .trim()
      .split(/\s+/)
      .slice(3)
      .filter((arg) => arg !== '--')
    // The gateway may be elsewhere: by options, or by the variables of `npm start`.
    const isDefault = args.length === 0
    const where = isDefault ? [] : ['--url', stack.url, '--devnet', devnetPath]
    const variables = { PORT: new URL(stack.url).port, DATA_DIRECTORY: directory }
    const stdout = await runDemoProcess([...args, ...where], isDefault ? variables : {})
    expect(stdout).toContain(args.includes('--refund') ? 'refund' : 'success')
    if (args.includes('--7702'))
      expect(stdout).toMatch(/0xef0100ca11bde\w+: it holds 50, and has passed on 50\.$/m)
  }
})
