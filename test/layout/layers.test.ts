import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

/**
 * What each folder may import besides itself, as docs/architecture.md explains. `folders` are single folders of
 * another layer; `types` are layers for `import type` only.
 */
const layers: Record<
  string,
  { imports: readonly string[]; folders?: readonly string[]; types?: readonly string[] }
> = {
  units: { imports: [] },
  contracts: { imports: ['units'] },
  pools: { imports: ['units'] },
  pricing: { imports: ['pools', 'units', 'errors'] },
  execution: { imports: ['pricing', 'contracts', 'units', 'errors'] },
  chains: { imports: ['contracts', 'units', 'errors'], types: ['log', 'config'] },
  market: {
    imports: ['chains', 'pricing', 'pools', 'contracts', 'units', 'errors'],
    types: ['log', 'config'],
  },
  requests: {
    imports: ['chains', 'execution', 'contracts', 'units', 'errors'],
    types: ['log', 'config'],
  },
  solver: {
    imports: [
      'requests',
      'market',
      'chains',
      'execution',
      'pricing',
      'pools',
      'contracts',
      'units',
      'errors',
    ],
    types: ['log', 'config'],
  },
  operations: {
    imports: ['market', 'requests', 'execution', 'pricing', 'pools', 'units', 'errors'],
    types: ['contracts', 'log', 'config'],
  },
  gateway: {
    imports: ['operations', 'units', 'errors'],
    // Pure: how clients see the state of a request. Webhooks send the same.
    folders: ['requests/status'],
    types: ['requests', 'execution', 'pricing', 'log', 'config'],
  },
  system: {
    imports: [
      ...['gateway', 'operations', 'solver', 'requests', 'market', 'chains', 'devnet', 'units'],
      ...['errors', 'log', 'config', 'environment'],
    ],
  },
  demo: { imports: ['devnet', 'units'] },
  deploy: { imports: ['contracts', 'units', 'config', 'environment'] },
  devnet: { imports: ['contracts', 'units', 'errors'], types: ['log', 'config'] },
  errors: { imports: [] },
  log: { imports: [] },
  config: { imports: ['units'] },
  environment: { imports: [] },
}

type Import = Readonly<{ file: string; path: string; target: string; typeOnly: boolean }>

/** `src/pools/pool.ts` and `#src/pools/pool.ts` are both of the layer `pools`. */
const layerOf = (path: string): string => path.replace(/^#?src\//, '').split(/[/.]/)[0] ?? ''

const sources = globSync('src/**/*.ts').filter(
  (file) => !file.endsWith('.test.ts') && file !== 'src/main.ts',
)

function importsOf(file: string): Import[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(/^(?:import|export)\s([^;'"]*?from\s)?'(#src\/[^']+)'/gm)
  return [...statements].map(([, clause = '', target = '']) => ({
    file,
    path: target.replace(/^#src\//, ''),
    target: layerOf(target),
    typeOnly: /^type\s/.test(clause) || /^{(\s*type\s[^,}]+,?)+\s*}\s*from/.test(clause),
  }))
}

describe('layers', () => {
  it('has a row for every folder and file of src', () => {
    expect([...new Set(sources.map(layerOf))].sort()).toEqual(Object.keys(layers).sort())
  })

  it('imports go down only', () => {
    const wrong = sources.flatMap(importsOf).filter(({ file, path, target, typeOnly }) => {
      const from = layerOf(file)
      const row = layers[from]
      if (row === undefined || target === from) return false
      if (row.folders?.some((folder) => path.startsWith(`${folder}/`))) return false
      return !row.imports.includes(target) && !(typeOnly && row.types?.includes(target))
    })
    expect(wrong).toEqual([])
  })

  it('the pure layers import nothing that does I/O', () => {
    const impure = /from '(node:[^']+|pino|zod|graphql[^']*|@pothos[^']*|dataloader)'/
    const pure = sources.filter((file) =>
      ['units', 'contracts', 'pools', 'pricing', 'execution'].includes(layerOf(file)),
    )
    expect(pure.filter((file) => impure.test(readFileSync(file, 'utf8')))).toEqual([])
  })
})
