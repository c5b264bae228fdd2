import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { configSchema, parseConfig } from '#src/config/config.ts'
import { presets } from '#src/config/presets/withPresets.ts'
import { statusByCode } from '#src/core/errors.ts'
import { maxOrigins } from '#src/service/input/multiInput.ts'
import { codeBlocks, documents, readDocument } from '#test/support/clients/documents.ts'

const configuration = readDocument('docs/configuration.md')

/** The anchor that a heading has on common hosts. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, '')
    .trim()
    .replace(/\s/g, '-')

const anchorsOf = (path: string): readonly string[] =>
  [...readDocument(path).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading))

/** The names of all properties that a JSON schema allows. */
function keysOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {} } = schema as { properties?: Readonly<Record<string, unknown>> }
  return [
    ...Object.keys(properties),
    ...Object.values(schema).flatMap(keysOf),
    ...Object.values(properties).flatMap(keysOf),
  ]
}

it('shows a configuration that is valid', () => {
  const [short, whole] = codeBlocks('json', ['docs/configuration.md']).map(({ text }) =>
    parseConfig(JSON.parse(text), 'docs/configuration.md'),
  )
  expect(whole?.chains[0]?.finalityDepth).toBe(64)
  expect(short?.chains[0]).toMatchObject({ id: 8453, preset: 'base' })
  expect(short?.chains[0]?.rpcUrls).toHaveLength(2)
})

it('configures Base from nothing in ten lines', () => {
  const [, section = ''] = /^## From nothing to Base\n([\s\S]*?)^## /m.exec(configuration) ?? []
  const lines = [...section.matchAll(/^```\w+\n(.*?)^```$/gms)].flatMap(([, text = '']) =>
    text.trimEnd().split('\n'),
  )
  expect(lines).toHaveLength(8)
})

it('lists every preset with its id, and whether parts are unverified', () => {
  const rows = [...configuration.matchAll(/^\| `(\w+)` \| (\d+) \|.*\| ([^|]*) \|$/gm)]
  const listed = rows.map(([, name, id, unverified]) => [name, Number(id), unverified !== '–'])
  const known = Object.entries(presets).map(([name, { chain, unverified }]) => [
    ...[name, chain.id, unverified.length > 0],
  ])
  expect(listed).toEqual(known)
})

it('lists every key of the configuration and every variable of the environment', () => {
  const variables = readFileSync('src/config/environment.ts', 'utf8').matchAll(
    /^ {2,4}([A-Z_]+): z/gm,
  )
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' })
  const names = new Set([...keysOf(schema), ...[...variables].map(([, name = '']) => name)])
  // Entries of `chains` in the file.
  names.delete('svmChains')
  expect(names.size).toBeGreaterThan(100)
  // In a code span, or a key of an example. The name of an account goes before those of its keys.
  const text = configuration + readDocument('docs/upstream.md')
  const code = [...text.matchAll(/`[^`\n]+`|"\w+":/g)].join('\n')
  const words = [...new Set(code.match(/\w+/g))]
  const isListed = (name: string) => words.some((word) => `_${word}`.endsWith(`_${name}`))
  expect([...names].filter((name) => !isListed(name))).toEqual([])
})

it('lists every error code with its HTTP status', () => {
  const protocol = readDocument('docs/protocol.md')
  const listed = [...protocol.matchAll(/^\| (\d{3}) \| (.*) \|$/gm)].flatMap(
    ([, status, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => [code, Number(status)]),
  )
  expect(Object.fromEntries(listed)).toEqual(statusByCode)
})

it('says how many deposits a multi-input quote takes', () => {
  const frontends = readDocument('docs/frontends.md')
  expect(frontends).toContain(`up to ${maxOrigins} deposits`)
  expect(frontends).toContain(`1 to ${maxOrigins} of them`)
})

it('names only existing npm scripts, and describes all of them', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Record<string, string>
  }
  const text = documents.map(readDocument).join('\n')
  const named = [...text.matchAll(/npm (?:run )?([a-z][\w:-]*)/g)].map(([, name = '']) => name)
  // The quickstart creates a project, which has a script of its own.
  const known = new Set([...Object.keys(scripts), 'install', 'ci', 'run', 'create', 'dev'])
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
  expect(Object.keys(scripts).filter((name) => !named.includes(name))).toEqual([])
})

it('links only to existing files and headings', () => {
  const broken = documents.flatMap((document) =>
    [...readDocument(document).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)]
      .map(([, target = '', anchor]) => ({
        document,
        path: target === '' ? document : normalize(join(dirname(document), target)),
        anchor,
      }))
      .filter(
        ({ path, anchor }) =>
          !existsSync(path) || (anchor !== undefined && !anchorsOf(path).includes(anchor)),
      ),
  )
  expect(broken).toEqual([])
})

it('names only existing source files', () => {
  const missing = documents
    .filter((document) => document !== 'CHANGELOG.md')
    .flatMap((document) =>
      [...readDocument(document).matchAll(/`((?:src|test)\/[\w./-]+)`/g)]
        .map(([, path = '']) => path)
        .filter((path) => !existsSync(path))
        .map((path) => `${document}: ${path}`),
    )
  expect(missing).toEqual([])
})
