import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, it } from 'vitest'
import { codeBlocks } from '#test/support/clients/documents.ts'

const project = mkdtempSync(join(tmpdir(), 'samples-'))
afterAll(() => rmSync(project, { recursive: true }))

const samples = ['ts', 'tsx'].flatMap((language) => codeBlocks(language))

it('shows samples of code as TypeScript', () => {
  expect(['js', 'jsx', 'javascript', 'typescript'].flatMap((each) => codeBlocks(each))).toEqual([])
  expect(samples.length).toBeGreaterThanOrEqual(4)
})

it('shows samples that compile under strict as they are', async () => {
  symlinkSync(resolve('node_modules'), join(project, 'node_modules'))
  for (const [at, { document, language, text }] of samples.entries())
    writeFileSync(join(project, `${document.replaceAll('/', '-')}-${at}.${language}`), text)
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    noUnusedLocals: true,
    noEmit: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    moduleDetection: 'force',
    target: 'es2023',
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: [],
    jsx: 'react-jsx',
    skipLibCheck: true,
  }
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const checked = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', project])
  expect((await checked.catch(({ stdout }: { stdout: string }) => ({ stdout }))).stdout).toBe('')
})
