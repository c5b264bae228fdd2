import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readDocument } from '#test/support/clients/documents.ts'

/** Layers, or single folders of them such as `requests/status`, that a layer may import besides itself. */
type Row = Readonly<{ imports: readonly string[]; types: readonly string[] }>

const namesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([\w/]+)`/g)].map(([, name = '']) => name)

/** The table of docs/architecture.md: the rule itself, so that text and code cannot differ. */
const layers: ReadonlyMap<string, Row> = new Map(
  [...readDocument('docs/architecture.md').matchAll(/^\| `(\w+)` \| (.*) \| (.*) \|$/gm)].map(
    ([, layer = '', imports = '', types = '']) => [
      layer,
      { imports: namesIn(imports), types: namesIn(types) },
    ],
  ),
)

type Import = Readonly<{ file: string; path: string; typeOnly: boolean }>

/** `src/core/pools/pool.ts` and `#src/core/pools/pool.ts` are both of the layer `pools`. */
const layerOf = (path: string): string => path.replace(/^#?src\//, '').split(/[/.]/)[0] ?? ''

const sources = globSync('src/**/*.{ts,js}').filter(
  (file) => !file.endsWith('.test.ts') && file !== 'src/main.ts',
)

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s([^;'"]*?from\s)?'#src\/([^']+)'/gm)
  return [...statements].map(([, clause = '', path = '']) => ({
    file,
    path,
    typeOnly: /^type\s/.test(clause) || /^{(\s*type\s[^,}]+,?)+\s*}\s*from/.test(clause),
  }))
}

it('has a row for every room of src', () => {
  expect([...new Set(sources.map(layerOf))].sort()).toEqual([...layers.keys()].sort())
})

it('each room imports only the rooms below it', () => {
  const wrong = sources.flatMap(importsOf).filter(({ file, path, typeOnly }) => {
    const from = layerOf(file)
    const row = layers.get(from)
    if (row === undefined || layerOf(path) === from) return false
    const names = [...row.imports, ...(typeOnly ? row.types : [])]
    return !names.some((name) => path === `${name}.ts` || path.startsWith(`${name}/`))
  })
  expect(wrong).toEqual([])
})

const floors = ['units', 'pools', 'router', 'pricing']

it('inside core, imports go down: pricing, router, pools, units', () => {
  const floorOf = (path: string) =>
    floors.indexOf(/^(?:#?src\/)?core\/(\w+)\//.exec(path)?.[1] ?? '')
  const upward = sources
    .flatMap(importsOf)
    .filter(({ file, path }) => floorOf(file) >= 0 && floorOf(path) > floorOf(file))
  expect(upward).toEqual([])
})

it('the pure rooms import nothing that does I/O', () => {
  const impure = /from '(node:[^']+|pino|zod|graphql[^']*|@pothos[^']*|dataloader)'/
  const pure = sources.filter((file) => ['core', 'protocol'].includes(layerOf(file)))
  expect(pure.filter((file) => impure.test(readFileSync(file, 'utf8')))).toEqual([])
})

it('OpenTelemetry is loaded only if traces are configured', () => {
  const naming = sources.filter((file) => readFileSync(file, 'utf8').includes('@opentelemetry'))
  expect(naming).toEqual(['src/config/tracing/tracer.ts'])
  const [text = ''] = naming.map((file) => readFileSync(file, 'utf8'))
  expect(text).not.toMatch(/^import (?!type ).*@opentelemetry/m)
})

it('the page imports its own modules, and packages that browsers can run', () => {
  const packages = ['preact', 'preact/hooks', 'htm/preact', 'graphql-ws/client']
  const imported = globSync('src/page/**/*.js').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^import .* from '([^']+)'/gms)].map(
      ([, name = '']) => name,
    ),
  )
  expect(imported.length).toBeGreaterThan(0)
  expect(
    imported.filter((name) => !name.startsWith('#src/page/') && !packages.includes(name)),
  ).toEqual([])
})
