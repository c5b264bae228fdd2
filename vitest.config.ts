import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { repeatedFiles, slowFiles } from './test/support/slowFiles.ts'
import { SlowFilesFirst } from './test/support/slowFilesFirst.ts'

const minute = 60_000

// CI names a seed, so that it draws the same cases for every commit. Elsewhere each run draws others.
// biome-ignore lint/style/noProcessEnv: CI sets it for the whole run.
const seed = process.env['FAST_CHECK_SEED']

const allFiles = ['src/**/*.test.ts', 'test/**/*.test.ts']
// These take minutes whatever their counts.
const longFiles = ['**/*.long.test.ts']

/** `npm test` has the mode fast, `npm run test:all` slow, `npm run test:long` long. Without a mode, any file runs. */
function filesOf(mode: string): Readonly<{ include: string[]; exclude: string[] }> {
  if (mode === 'fast') return { include: allFiles, exclude: [...longFiles, ...slowFiles] }
  if (mode === 'slow') return { include: [...slowFiles, ...repeatedFiles], exclude: longFiles }
  return { include: allFiles, exclude: mode === 'long' ? [] : longFiles }
}

export default defineConfig(({ mode }) => ({
  resolve: {
    // Two module formats of graphql in one process fail each other's instanceof checks: use one file.
    alias: [
      {
        find: /^graphql$/,
        replacement: fileURLToPath(new URL('./node_modules/graphql/index.js', import.meta.url)),
      },
    ],
  },
  test: {
    include: filesOf(mode).include,
    exclude: [...configDefaults.exclude, ...filesOf(mode).exclude],
    globalSetup: ['test/support/store/storesOfRun.ts', 'test/support/processes/quickStart.ts'],
    setupFiles: ['test/support/setUpTests.ts'],
    // Not import.meta.env: transformed modules are cached with the values of the run that cached them.
    provide: { mode, seed: seed === undefined ? undefined : Number(seed) },
    // Tests wait for conditions. These limits only end what hangs, on a machine however slow.
    testTimeout: mode === 'long' ? 60 * minute : 20 * minute,
    hookTimeout: 20 * minute,
    // Many tests wait for chains and processes: five workers keep two cores busy.
    maxWorkers: 5,
    // Properties allocate much: fewer collections save time. An optimized build of Postgres costs more than it gains here.
    execArgv: ['--max-semi-space-size=64', '--wasm-tiering-budget=2000000000'],
    // Modules hold no state, so that files can share them: to load them again for each file takes a third of the time.
    isolate: false,
    sequence: { sequencer: SlowFilesFirst },
    reporters: ['default', 'json'],
    outputFile: { json: `.crossquote/test-report-${mode}.json` },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['**/*.test.ts', 'src/**/artifacts/**'],
      thresholds: { 'src/{core,protocol}/**': { lines: 95 } },
    },
  },
}))
